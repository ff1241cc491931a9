# One image for all roles: PBMSERV_ROLES chooses the role of a container. Instead of `serve` you can run `migrate` or any
# other command of pbmserv. A container writes to /data only.

FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY pbmserv pbmserv
COPY templates templates
COPY migrations migrations
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /dist .
RUN python -m venv /opt/pbmserv \
    && wheel="$(ls /dist/pbmserv-*.whl)" \
    && /opt/pbmserv/bin/pip install --no-cache-dir "${wheel}[postgresql,fast,metrics,web]"
COPY deploy/healthcheck.py /opt/pbmserv/healthcheck.py

# Use the same base image, because the virtual environment points to its Python.
FROM python:3.13-slim
RUN useradd --system --uid 10001 --user-group --home-dir /data --shell /usr/sbin/nologin pbmserv \
    && install --directory --owner=pbmserv --group=pbmserv --mode=0750 /data
COPY --from=build /opt/pbmserv /opt/pbmserv
ENV PATH=/opt/pbmserv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PBMSERV_DATABASE_URL=sqlite:////data/pbmserv.db \
    PBMSERV_LISTEN=smtp://0.0.0.0:2525 \
    PBMSERV_RELAY=maildir:/data/letters
USER pbmserv
WORKDIR /data
VOLUME /data
EXPOSE 2525
# After SIGTERM the server needs up to 30 seconds: give `docker stop` a longer --time than the default of ten.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s --retries=3 \
    CMD ["python", "/opt/pbmserv/healthcheck.py"]
ENTRYPOINT ["pbmserv"]
CMD ["serve"]

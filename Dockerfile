# One image for all roles: PBMSERV_ROLES chooses the role of a container. Instead of `serve` you can run `migrate` or any
# other command of pbmserv. A container writes to /data only. How to build it on a base that is named by its digest:
# deploy/README.md.
ARG BASE=python:3.13-slim-trixie

FROM ${BASE} AS build
WORKDIR /src
# What it needs changes seldom, so it comes before the program: a layer that is built once and pulled once.
COPY deploy/constraints.txt ./
RUN python -m venv /opt/pbmserv \
    && /opt/pbmserv/bin/pip install --no-cache-dir --require-hashes --requirement constraints.txt
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY migrations migrations
COPY docs/man docs/man
COPY templates templates
COPY pbmserv pbmserv
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /dist . \
    && /opt/pbmserv/bin/pip install --no-cache-dir --no-deps /dist/pbmserv-*.whl

# The same base, because the virtual environment points to its Python. Its Debian has the client programs of
# PostgreSQL 17, which `pbmserv backup` runs: a server of this version or an older one can be backed up.
FROM ${BASE}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client-17 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin pbmserv \
    && install --directory --owner=pbmserv --group=pbmserv --mode=0750 /data /data/backups
COPY --from=build /opt/pbmserv /opt/pbmserv
ENV PATH=/opt/pbmserv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PBMSERV_DATABASE_URL=sqlite:////data/pbmserv.db \
    PBMSERV_LISTEN=smtp://0.0.0.0:2525 \
    PBMSERV_RELAY=maildir:/data/letters
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 2525 8080
# After SIGTERM the server needs up to 30 seconds: give `docker stop` a longer --time than the default of ten.
STOPSIGNAL SIGTERM
# It asks the parts that this container has. For the web pages, the compose files give it --web.
HEALTHCHECK --interval=60s --timeout=20s --start-period=60s --retries=3 CMD ["pbmserv", "health"]
ENTRYPOINT ["pbmserv"]
CMD ["serve"]

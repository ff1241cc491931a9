"""The checks of `pbmserv doctor`."""

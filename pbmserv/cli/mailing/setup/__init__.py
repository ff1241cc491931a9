"""`pbmserv setup`: six questions, each answer tried at once, and a file of settings at the end."""

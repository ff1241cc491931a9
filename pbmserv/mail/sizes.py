"""How large mails and letters can be, in bytes.

reading/mime.py has the bounds of what is inside a mail. When the text of an answer has `boards.past.MOST_ANSWER_BYTES`,
no further command of its mail runs.
"""

MOST_MESSAGE_BYTES = 256 * 1024  #: of a mail that comes in, without the extra dots of SMTP
MOST_HTML_BYTES = 90_000  #: of the HTML of a letter: Gmail cuts letters at 102 kB

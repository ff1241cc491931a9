"""How large mails and letters can be, in bytes.

reading/mime.py has the bounds of what is inside a mail. When the text of an answer has `boards.past.MOST_ANSWER_BYTES`,
no further command of its mail runs.
"""

MOST_MESSAGE_BYTES = 256 * 1024  #: of a mail that comes in, without the extra dots of SMTP
MOST_BOARD_LETTER_BYTES = 40_000  #: of a letter about one board, with its picture, as far as it depends on us
MOST_LETTER_BYTES = 90_000  #: of any letter with HTML: Gmail cuts them at 102 kB

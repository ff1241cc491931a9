"""The rows of the command table that are about people: accounts, settings, words from one to another."""

from pbmserv.commands import access, accounts, people, settings, talk, vacation
from pbmserv.inbox.command import LOGIN, YOUR_USERID, Arg, Command, Is

_ADDRESSES = Arg("address", "where your letters go", optional=True, many=True)
_WORDS = "your words to them"

PEOPLE: tuple[Command, ...] = (
    Command(
        "signup",
        "Opens an account, or adds addresses to yours. Without an address: the one you write from.",
        accounts.signup,
        args=(
            Arg("userid", "2 to 20 letters, digits, _ or -; the others will see it", Is.USERID),
            Arg("password", "6 to 128 characters without spaces, quotes or colons", Is.NEW_PASSWORD),
            _ADDRESSES,
        ),
        aliases=("add",),
        example="signup {newcomer} {password}",
        second="add {newcomer} {password} second@example.org",
        more="Each address gets one letter, which its owner answers with the one word yes. An account whose address "
        "nobody confirms within seven days lapses, and so does an unconfirmed second address.\n"
        "If the userid is taken, choose another one; if it is yours, your password was misspelt.",
    ),
    Command(
        "change password",
        "Gives you a new password. The old one is worth nothing from that moment on.",
        access.change_password,
        args=(
            YOUR_USERID,
            Arg("old", "your password until now", Is.PASSWORD),
            Arg("new", "6 to 128 characters without spaces, quotes or colons", Is.NEW_PASSWORD),
        ),
        example="change password {userid} {password} NEWPASSWORD",
        second="change password {userid} {password} a-longer-one-is-better",
        more="If the old password is not yours, nothing is changed: capital letters count. "
        "Who does not know the old one any more sends: forgot USERID",
    ),
    Command(
        "change address",
        "Sends your letters to these addresses and to no others. Without an address: the one you write from.",
        access.change_address,
        args=(*LOGIN, _ADDRESSES),
        example="change address {userid} {password} new@example.org",
        second="change address {userid} {password} home@example.org work@example.org",
        more="Your old addresses are told. They get your letters until the first new address is confirmed, so that "
        "a misspelt one locks nobody out. To add an address and keep the others, use add.\n"
        "At most five addresses belong to a player.",
    ),
    Command(
        "forgot",
        "Mails a letter to your confirmed addresses, with which you set a new password.",
        access.forgot,
        args=(YOUR_USERID,),
        example="forgot {userid}",
        second="forgot bob",
        more="Answer that letter within an hour, with the new password alone on the first line. It works once; a later "
        "letter takes the place of an earlier one, and at most three are sent in a day.\n"
        "The answer to this command is the same for every userid. If no letter comes, the userid is misspelt or none "
        "of the player's addresses was ever confirmed.",
    ),
    Command(
        "signoff",
        "Closes your account for good. Your boards are given up or, where you have not moved yet, declined; "
        "addresses, password and settings are erased.",
        access.signoff,
        args=LOGIN,
        aliases=("delete",),
        may_shorten=False,
        example="signoff {userid} {password}",
        second="delete {userid} {password}",
        more="What you write in the body goes to the others on your boards. Nobody can take your userid, and your "
        "finished boards can still be read.\n"
        "The verb is never shortened, and a wrong password changes nothing. If you are only away for a time, "
        "see: help vacation",
    ),
    Command(
        "set",
        "How the server treats you: form and language of letters, time zone, broadcasts, whom you block. "
        "Without a setting, lists them all with what each means.",
        settings.set_,
        args=(*LOGIN, Arg("name=value", "one or more settings", optional=True, many=True)),
        example="set {userid} {password} timezone=Europe/Berlin",
        second="set {userid} {password} mail=text own=off",
        more="Words and challenges of a player whom you block do not reach you: block=USERID, and unblock=USERID.\n"
        "A setting has no spaces around its equals sign. An unknown time zone is answered with the nearest names.",
    ),
    Command(
        "vacation",
        "Stops your clocks: no reminders, and no time counts against you. Without a time, says how it stands.",
        vacation.vacation,
        args=(
            *LOGIN,
            Arg(
                "days",
                "days from now; or until a day, which is included; or off, to come back earlier",
                optional=True,
                many=True,
                form="[days | until YYYY-MM-DD | off]",
            ),
        ),
        example="vacation {userid} {password} 10",
        second="vacation {userid} {password} off",
        more="The days of a calendar year are limited; the answer says how many are left, and off gives back what was "
        "not used. You can play while you are away. A new time replaces the one that runs.\n"
        "A date is written 2026-08-31 and must be still to come.",
    ),
    Command(
        "who",
        "About a player: member since when, on vacation or not, ratings, boards. Never addresses.",
        people.who,
        args=(Arg("userid", "the player", Is.USERID),),
        example="who {userid}",
        second="who bob",
        more="If there is no such player, the answer names those whose userids are nearly the same.",
    ),
    Command(
        "all show",
        "Every board of a player in all games; next: those where he is to move.",
        people.all_show,
        args=(
            Arg("userid", "the player", Is.USERID),
            Arg(
                "state", "next or active; without it all boards, finished ones too", optional=True, form="[next|active]"
            ),
        ),
        example="all show {userid} next",
        second="all show {userid}",
        more="The newest boards come first, as everybody may see them. To see what is hidden from others, send for "
        "each game: GAME showas USERID PASSWORD next\n"
        "A single board is shown by: GAME show BOARD",
    ),
    Command(
        "message",
        "Passes the body of your mail on to players. Nobody sees an address.",
        talk.message,
        args=(*LOGIN, Arg("to", "up to ten userids", Is.USERID, many=True)),
        body=_WORDS,
        example="message {userid} {password} {other}",
        second="message {userid} {password} {other} {userid}",
        more="If one of the userids is unknown, or the body is empty, nothing is sent. A message is written as the "
        "subject, so it cannot be one of the lines of a mail with the subject multiple.\n"
        "At most fifty players a day are written to in this way. Who has blocked you gets nothing.",
    ),
    Command(
        "broadcast",
        "Passes the body of your mail on to all players who want broadcasts; once a day.",
        talk.broadcast,
        args=LOGIN,
        body=_WORDS,
        example="broadcast {userid} {password}",
        second="broad {userid} {password}",
        more="To get the broadcasts of others: set USERID PASSWORD broadcasts=on\n"
        "An empty body is refused, and so is a second broadcast on the same day (in UTC).",
    ),
)

"""Words of those who speak of a cell of the board and play nothing there, in many languages."""

from pbmserv.inbox.lines.words.said_words import COLOURS
from pbmserv.inbox.lines.words.sentence_words import all_words

#: Words of those who speak of a cell, and put nothing there.
_SPEAKING_OF = {
    "English": "fear afraid scared worry worried beware watch attention careful threat threatens threatening danger "
    "dangerous trap hole weak weakness problem problems trouble strong strength attack attacks attacked pressure eye "
    "prevent prevents preventing stop stops stopping expect expects expecting analyse analysed analysing calculate "
    "protect protects protecting guard guards guarding defend defends defending cover covers covering between lives "
    "resigns liberty liberties chain calculated regarding concerning versus like unlike invite "
    "invites allow allows allowing provoke cheer "
    "eyes focus stuck based hope close near next compared reply response answer prefer due forward similar sorry "
    "thanks thank nice good great happy fine best better worse live stare staring staring glance looking look looks "
    "saw see seen sees die dies remember regret miss missed missing lost dead alive fight situation position",
    "German": "angst fürchte befürchte vorsicht achtung achte aufpassen pass drohung droht drohst gefahr gefährlich "
    "falle loch schwach schwäche problem probleme stark angriff druck auge augen hoffe hoffnung nah nahe neben freue "
    "antwort reaktion leider danke schön gut zufrieden rechne gerechnet sehe sah gesehen starre schaue blick tot "
    "lebendig kampf stellung verhindere verhindert verhindern decke deckt schütze schützt "
    "verteidige verteidigt stoppt erwarte betrifft erlaubt "
    "provoziert warte lauert steht liegt",
    "French": "peur crains attention prudence gare danger dangereux menace piège trou faible faiblesse problème "
    "j'empêche empêche évite arrête j'attends attends permet fort "
    "espère près proche réponse merci bien beau regarde vois vu mort",
    "Spanish, Portuguese": "miedo temo cuidado atención ojo peligro peligroso amenaza trampa débil problema fuerte "
    "espero cerca respuesta gracias bueno buena miro veo visto muerta muerto medo perigo ameaça fraco perto "
    "obrigado olho vejo morta",
    "Italian": "paura temo attento attenzione pericolo minaccia trappola debole problema forte spero vicino risposta "
    "grazie bello bella guardo vedo visto morta morto",
    "Dutch": "bang vrees pas let oplet opgepast gevaar gevaarlijk dreiging val zwak probleem sterk hoop dichtbij "
    "antwoord bedankt mooi kijk zie gezien dood wacht",
    "Polish, Czech": "boję obawiam uwaga uważaj groźba pułapka słaby słabe problem mocny nadzieję blisko odpowiedź "
    "dzięki ładnie patrzę widzę martwy bojím pozor hrozba slabý vidím",
    "Swedish, Danish, Norwegian": "rädd akta fara hot svag problem stark hoppas nära svar tack fint ser död bange "
    "pas pas forsigtig trussel svagt håber frykter trussel håper takk",
    "Russian, Ukrainian": "боюсь осторожно внимание угроза ловушка слабый слабо проблема надеюсь ответ спасибо вижу "
    "смотрю мёртв боюся увага загроза",
    "Finnish, Hungarian, Turkish": "pelkään varo uhka heikko toivon félek vigyázz gyenge remélem korkarım dikkat zayıf",
}
#: Words of those who wanted to, nearly did, or think of it; who praise; and of what is no board.
_NOT_DONE = {
    "wanted": "wanted wollte wollten voulais voulait quería queria volevo wilde chciałem chciałam chtěl хотел "
    "хотела ville halusin akartam forced must",
    "nearly": "almost nearly beinahe presque failli casi quase quasi bijna prawie téměř skoro почти майже nästan "
    "næsten nesten melkein majdnem neredeyse",
    "going to": "allais j'allais j'ai iba ia ibamos stavo",
    "thinking": "thinking thought dachte pensaba pensando pensais myślałem думал думала tänkte tænkte tenkte",
    "praise": "that what pretty guter gute gutes schöner schönes toller starker glückwunsch bonita "
    "bonito bel belle beau "
    "bonne bon buena boa bom bella mooie goed goede ładny ładna dobry dobra dobre pěkný dobrý хороший "
    "хорошая отличный snyggt snygg fint fin bra god godt hieno hyvä szép jó güzel respekt gratulacje",
    "elsewhere": "road house flat room hotel flight bus train seat gate exit floor street parking "
    "stall meet meeting score "
    "count back opponent opponents gegner enemy ko seki aji group gruppe sunk really",
}
SPEAKING_OF = all_words(_SPEAKING_OF.values())
#: Those of all tables, with the colours of the men.
OF_CELLS = all_words(
    (*_SPEAKING_OF.values(), *_NOT_DONE.values(), *(COLOURS[name] for name in ("White", "Black")), "white black")
)

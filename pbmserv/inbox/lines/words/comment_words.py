"""Words of a comment beside a move: those that leave it in doubt, and those with which people wish each other well.

A word that is missing among the doubts can make a move of a line that its writer was not sure about. Laughter is none
of them: who laughs about a move has made it. To say that it is a joke is one (farewell.py).
"""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from pbmserv.inbox.lines.words.sentence_words import (
    DENIALS,
    FOREIGN_DENIALS,
    GATEWAY,
    INVITING,
    JOINING,
    OTHERS,
    OWN,
    PLAYING,
    POLITE,
    all_words,
    denies,
)

#: Denials of `sentence_words` that leave no doubt about a move that stands by itself: words of questions and of time.
_NO_DOUBT = {
    "English": "when once after before until why what which how than against bad terrible nonsense stupid loses hate "
    "dislike dead everything",
    "German": "wie was welche welcher welchen gegen warum wieso weshalb bevor ehe nachdem schlecht dumm blöd hasse "
    "weg alles",
    "others": "quand pourquoi cuando porque vez quando perché wanneer waarom gdy когда",
}
_DOUBTS = {
    "English": "maybe perhaps possibly probably wait hold hm hmm hmmm unsure undecided actually think thinking "
    "thought consider considering oops ignore disregard typo correction meant should might could otherwise "
    "alternatively suppose undo scrap belay cancelled canceled void nope nah nevermind whichever assuming "
    "hypothetically theoretically example instance test testing draft pending retract retracted withdraw withdrawn "
    "revoke suggest suggests suggested recommends recommended decide forgot "
    "forgotten believe reckon seems say",
    "German": "vielleicht eventuell möglicherweise wahrscheinlich warte warten wart moment halt stopp unsicher "
    "überlege ups äh hm korrektur vertippt verschrieben meinte gemeint sollte könnte sonst glaub glaube denk denke "
    "prüfen entwurf beispiel verworfen zurückgenommen widerrufe vergessen vergaß "
    "scheint",
    "French": "peut-être peut attends attendez hésite euh sinon correction devrais pourrais annule annulé exemple "
    "crois pense semble avis doute oublié",
    "Spanish, Portuguese": "quizás quizas quizá acaso puede espera espere dudo talvez pode aguarda corrección sino "
    "debería podría cancelo cancelado anulo ejemplo exemplo creo pienso supongo acho penso suponho "
    "parece olvidé esqueci",
    "Italian": "forse aspetta aspettate magari dubbio correzione altrimenti dovrei potrei annullo annullato esempio "
    "credo suppongo pare sembra dimenticato",
    "Dutch": "misschien wacht wachten twijfel anders correctie annuleer voorbeeld geloof vermoed lijkt vergeten",
    "Polish": "może moze chyba czekaj poczekaj inaczej cofam anuluję przykład myślę sądzę wydaje "
    "zapomniałem zapomniałam",
    "Czech, Slovak": "možná snad počkej možno počkaj jinak myslím asi zapomněl zapomněla",
    "Russian, Ukrainian": "может возможно наверное подожди стой иначе отмена пример можливо почекай ні "
    "думаю по-моему кажется наверно видимо забыл забыла мабуть здається",
    "Swedish, Danish, Norwegian": "kanske vänta annars måske vent ellers kanskje nej avbryt "
    "tror antar formoder synes verkar glömde glemte",
    "Finnish, Estonian": "ehkä odota muuten luulen luulisin kai taitaa minusta unohdin",
    "Hungarian, Romanian": "talán várj hiszem gondolom szerintem poate așteaptă cred",
    "Turkish, Greek": "belki bekle iptal sanırım galiba bence ίσως περίμενε νομίζω μάλλον",
    "Croatian, Slovenian, Bulgarian": "možda mozda ili nemoj čekaj morda počakaj би чакай",
    "Estonian, Latvian, Lithuanian": "võib-olla või oota varbūt nē pagaidi galbūt arba palauk",
    "Basque, Catalan": "agian ez edo itxaron potser",
    "Indonesian, Vietnamese": "mungkin tidak bukan atau tunggu jangan không hoặc chờ đừng lẽ",
}
#: Words of those who tell what somebody says, supposes or plans.
_TOLD = {
    "English": "said says wrote writes told tells asks asked claims claimed mentioned replied according quote quoted "
    "quoting imagine imagining pretend pretending wonder wondering guess plan planned planning intend intended",
    "German": "sagt sagte sagten gesagt schreibt schrieb geschrieben meint fragt fragte behauptet laut zitat angeblich "
    "angenommen stell plane geplant vorhabe hätte wäre würde",
    "French": "dit disait écrit écrivait demande raconte selon imagine imaginons supposons",
    "Spanish, Portuguese": "dijo dice dijiste escribió escribe según imagina supongamos disse diz escreveu segundo "
    "suponha",
    "Italian": "disse dice detto scrive scrisse scritto secondo immagina supponiamo",
    "Dutch": "zei zegt gezegd schreef schrijft volgens stel",
    "Swedish, Danish, Norwegian": "sa säger skrev skriver enligt sagde siger ifølge sier",
    "Polish, Czech, Slovak": "powiedział powiedziała mówi napisał napisała pisze według řekl řekla říká napsal píše "
    "podle povedal hovorí napísal",
    "Russian, Ukrainian": "сказал сказала говорит написал написала пишет сказав сказала каже написав пише",
    "Finnish, Estonian": "sanoi sanoo kirjoitti kirjoittaa ütles kirjutas",
    "Hungarian, Romanian": "mondta mondja írta írja zis scris spune",
    "Turkish, Greek": "dedi diyor yazdı söyledi είπε λέει έγραψε",
    "Croatian, Slovenian, Bulgarian": "rekao rekla kaže napisao rekel pravi каза казва написа",
    "Latvian, Lithuanian": "teica saka sakė rašė",
    "Basque, Catalan": "esan dit escrit",
    "Indonesian, Vietnamese": "bilang berkata katanya menulis nói viết",
}
#: Words for a time that is not now: a move that comes then is none yet. `See you tomorrow` is meant otherwise.
_LATER = {
    "English": "tomorrow later next soon someday eventually monday tuesday wednesday thursday friday saturday sunday "
    "tonight afterwards",
    "German": "morgen übermorgen später nachher demnächst nächste nächstes nächsten nächster irgendwann montag "
    "dienstag mittwoch donnerstag freitag samstag sonntag",
    "French": "demain après-demain bientôt prochain prochaine ensuite tard lundi mardi mercredi jeudi vendredi samedi "
    "dimanche",
    "Spanish, Portuguese": "mañana luego próxima próximo después amanhã depois",
    "Italian": "domani dopodomani dopo prossima prossimo poi",
    "Dutch": "overmorgen straks volgende binnenkort",
    "Swedish, Danish, Norwegian": "imorgon imorgen morgon senare senere nästa næste neste snart",
    "Polish, Czech, Slovak": "jutro pojutrze później potem następny następna zítra později příště zajtra neskôr",
    "Russian, Ukrainian": "завтра потом позже следующий скоро пізніше потім",
    "Finnish, Estonian": "huomenna myöhemmin seuraava homme hiljem",
    "Hungarian, Romanian": "holnap később mâine",
    "Turkish, Greek": "yarın sonra αύριο αργότερα",
    "Croatian, Slovenian, Bulgarian": "sutra kasnije jutri kasneje утре",
    "Latvian, Lithuanian": "rīt vēlāk rytoj vėliau",
    "Basque, Catalan": "bihar demà",
    "Indonesian, Vietnamese": "besok nanti mai",
}
#: Words of those who only speak of when they will be there, or wait for an answer.
_ABSENT = {
    "English": "see meet forward away back holiday holidays vacation travel travelling traveling busy until till hope "
    "was were had been",
    "German": "bis sehen freue gespannt verreist unterwegs urlaub hoffe hoffentlich war waren hatte",
    "French, Spanish, Portuguese, Italian": "vacances absent absente voit revoit hasta vemos vacaciones viaje até "
    "férias viagem ferie vediamo",
    "others": "tot zien vakantie ses semester urlop urlopie до отпуск отпуске nähdään lomalla",
}
#: What somebody who asks for an answer adds, often without a question mark; or says of a move that is only discussed.
_TAGS = all_words(
    [
        "bad doubtful dubious terrible awful weak stupid nonsense wrong schlecht zweifelhaft dumm schwach unsinn "
        "falsch mauvais douteux faible malo mala dudoso dudosa malísimo brutto brutta dubbia debole slecht "
        "twijfelachtig dålig dårlig źle zły wątpliwe špatný плохо плохой сомнительно ruim duvidoso huono rossz kötü",
        "right correct true ok okay eh huh innit gell gelle ne non no verdad vero hein né wahr richtig",
    ]
)
#: Letters of scripts without a table of doubts: nobody can tell what such a comment says of the move.
UNREAD = re.compile("[\u0530-\u1cff\u2e80-\ua4cf\ua840-\ud7ff\uf900-\ufaff\uff66-\uffdc]")
#: What takes back a move above it, whatever else its sentence says.
_TAKING_BACK = {
    "English": "i meant|ignore|disregard|(?:scrap|scratch|kill|skip) (?:that|this|it|my)|strike that|rewind|redo|"
    "do[- ]?over|misread|not what i (?:meant|wanted)|correction|typo|mistyp\\w*|misclick\\w*|"
    "mouse ?slip|(?<!t )(?<!never )forget (?:that|this|it|my|what|about)|"
    "(?:wrong|other|different) (?:move|square|piece|man|point|house|pit|"
    "column|field|board|button|one|pawn|knight|bishop|rook|queen|stone)|"
    "that (?:is|was) (?:wrong|a mistake|an error)|that'?s (?:wrong|a mistake|an error|not)|my mistake|"
    "hold (?:on|it|that|this)|hang on|"
    "take (?:it|that|this|my move) back|take back|chang\\w+ my mind|second thoughts?|never ?mind|cancel|withdraw\\w*|"
    "retract\\w*|(?:do not|don'?t) (?:play|do|count|send|make) (?:it|that|this)|not (?:that|this) (?:move|one)|"
    "not (?:yet|final)|(?:let me|have to|need to|must) (?:think|reconsider|rethink)|still thinking|"
    "sleep on (?:it|that)|(?:i'?ll|i will) think (?:about it|it over|again)|just testing|"
    "a test|only if|just (?:try|test|check|practi[sc])\\w*|let me (?!know)\\w+|"
    "(?<!no )(?:need|want|have|going|got|like) to (?:still |first )?"
    "(?:check|look|ask(?! you)|consult|verify|count|calculate)|"
    "not me|wasn'?t me|wait (?:for|until|till) (?:my|the) (?:next|mail|letter|real|right|proper|other)|hang about|"
    "change (?:that|it|this|my move)|undo (?:that|it|this)|belay|delete (?:that|it|this)|void|"
    "for (?:another|the other|a different) (?:game|board)|just kidding|only joking|i (?:did not|didn'?t) mean|"
    "meant \\S*\\d\\S*|(?:says?|said) no|objects|disagrees|advises against",
    "German": "ich überleg[\\w']*|schlaf\\w* (?:\\w+ ){,2}(?:drüber|darüber)|ich meinte|gemeint war|kommando zurück|"
    "ignorier\\w*|vergiss (?:das|den|es|meinen)|vergesst|streich\\w* (?:das|den|es)|lass mich (?!wissen)\\w+|"
    "nur mal (?:test|probier|ausprobier)\\w*|"
    "korrektur|vertippt|verschrieben|verklickt|tippfehler|falsche[rsn]? (?:zug|feld|stein|figur|knopf)|"
    "das (?:ist|war) (?:falsch|ein fehler|ein versehen)|anders überlegt|zurücknehmen|nehme (?:das|ihn|es|den) zurück|"
    "noch nicht|muss (?:noch )?(?:über|nach)\\w+|doch (?:nicht|lieber)|nicht (?:dies|das|den)\\w*|sondern|nur ein test|"
    "nur (?:ein )?(?:scherz|spaß|spass)|war ein (?:scherz|witz)",
    "French": "efface[rz]?|je réfléchi\\w*|"
    "je voulais dire|je veux dire|ignore[zr]?|oublie[zr]? (?:ça|cela|ce|mon)|annule[zr]?|correction|"
    "faute de frappe|mauvais (?:coup|pion)|je me suis tromp\\w+|pas ce coup|plutôt|changé d'avis|pas encore|"
    "je plaisante",
    "Spanish": "borra(?:lo| eso| esto)?|"
    "quería decir|quise decir|quiero decir|ignor[ae]\\w*|olvid[ae] (?:eso|esto|lo|la|mi|esa|ese)|olvídalo|"
    "anul\\w+|cancel\\w+|corrección|me equivoqué|me he equivocado|equivocad\\w+|mejor dicho|en vez de|en lugar de|"
    "cambié de (?:idea|opinión)|todavía no|aún no|es broma|era broma",
    "Italian": "cancellal[oa]|"
    "volevo dire|intendevo|ignor[ai]\\w*|dimentic[ah]\\w* (?:quello|questo|la|il)|annull\\w+|correzione|"
    "ho sbagliato|mi sono sbagliat\\w+|mossa sbagliata|anzi|al posto di|cambiato idea|non ancora|scherzo|"
    "sto scherzando",
    "Portuguese": "quis dizer|queria dizer|quero dizer|esque[çc]\\w+ (?:isso|essa|esse|o|a)|correção|me enganei|"
    "enganei-me|engano|lance errado|jogada errada|ao invés|em vez de|mudei de ideia|ainda não|brincadeira",
    "Dutch": "schrap (?:dat|dit)|"
    "ik bedoel(?:de)?|negeer\\w*|vergeet (?:dat|dit|het|die|mijn)|correctie|annuleer|tikfout|typfout|"
    "verkeerde (?:zet|veld|stuk|steen)|vergist|ik vergis|in plaats van|bedacht|nog niet|grapje",
    "Swedish, Danish, Norwegian": "jag menade?|jeg mente?|ignorera|ignorer\\w*|glöm (?:det|drag)\\w*|glem det|rättelse|"
    "rettelse|fel drag|forkert træk|feil trekk|i stället|i stedet|inte än|ikke ennå|skojar",
    "Polish": "miał[ae]m na myśli|chodziło mi|zignoruj\\w*|ignoruj\\w*|zapomnij|poprawka|korekta|pomyłka|"
    "pomyli\\w+|literówka|zły ruch|cofam|anuluj\\w*|zamiast|jeszcze nie|żartuj\\w+",
    "Czech, Slovak": "myslel\\w* jsem|ignoruj\\w*|zapomeň\\w*|oprava|překlep|omyl\\w*|špatný tah|místo toho|ještě ne",
    "Russian, Ukrainian": "имел\\w* в виду|игнорируй\\w*|забудь\\w*|не считай\\w*|исправл\\w+|поправка|опечат\\w+|"
    "ошиб\\w+|отмен\\w+|не тот ход|вместо|ещё не|еще не|передумал\\w*|шучу|мав на увазі|помил\\w+",
    "Finnish, Hungarian": "tarkoitin|korjaus|väärä siirto|virhe|unohda se|elírtam|javítás|rossz lépés|tévedés|helyett",
    "Turkish, Greek": "demek istedi\\w+|düzeltme|yanlış hamle|yerine|yok say\\w*|εννοούσα|λάθος|διόρθωση",
}
#: Words with which a sentence begins that takes a move back, or is all that it says.
_STOPPING = all_words(
    [
        "wait stop halt whoa oops ooops opps upps uups oopsie whoops woops ups oups hoppla warte "
        "warten wartet moment stopp stop attends attendez espera espere "
        "esperad aspetta aspettate wacht stoppa vänta vent czekaj poczekaj počkej počkaj стой "
        "стоп подожди подождите погоди ой odota várj bekle περίμενε aguarda"
    ]
)
#: What happens to a move before it is meant: somebody else sends it, or a finger does, or it was not thought over.
_HANDLING = all_words(
    [
        "send sending typed typing type pressed hit clicked click touched button keyboard finger fingers thumb mouse "
        "autocorrect slipped slip accident accidentally draft unfinished premature early final reconsider rethink look "
        "check verify missing missed overlooked blunder blundered hanging hangs clumsy undone revert replace swap "
        "tippte getippt gedrückt geklickt finger daumen maus taste tastatur autokorrektur abgerutscht versehentlich "
        "entwurf unfertig endgültig prüfe prüfen nachsehen übersehen nachdenken schaue gucke"
    ]
)
_TO_THEM = all_words(["you your yours you'll you're you've forward dich dir dein deine deinen euch"])
_MOST_OF_HANDLING = 8  #: words of such a sentence
#: With which a condition begins.
_PROVIDED = all_words(["unless provided providing assuming supposing sofern vorausgesetzt sauf salvo tenzij"])
_RATHER = all_words(["instead rather except anstatt statt sondern plutôt"])
_IF = all_words(["if wenn falls si se als om jeśli jestli если jos ha"])
#: What somebody excuses behind oops: the time, or that it was forgotten. `Wait for me` takes nothing back, either.
_EXCUSING = all_words(
    [
        "forgot forgotten late delay delayed nearly almost long for until till vergessen verspätung spät lange "
        "lang fast of auf bis oublié retard olvidé tarde retraso dimenticato ritardo vergeten laat na zapomniałem "
        "spóźnienie забыл"
    ]
)
#: Words of somebody who takes a move back, if another one stands in the same sentence, or if they say nothing else.
CORRECTING = all_words(
    [
        "no nope nah not sorry actually rather better instead mean make should or maybe perhaps want wrong mistake "
        "replace nein nicht nö nee doch lieber besser statt stattdessen eigentlich sollte oder vielleicht meine "
        "entschuldigung falsch fehler non pas mieux désolé pardon ou mejor perdón perdon sino o quizás não melhor "
        "desculpa desculpe talvez meglio scusa scusate invece oppure forse niet liever beter of misschien nej inte "
        "ikke hellere hellre eller nie raczej lepiej przepraszam albo może ne raději nebo нет не лучше извини "
        "извините или может ні краще hayır ei vaan nem inkább bocsánat いや 違う 不 不是 不对 아니"
    ]
)
_CORRECTING_ALONE = all_words(
    [
        "no nope nah nein nö nee blödsinn quatsch unsinn mist non não nej nie ne нет ні hayır ei nem いや 違う 不对 "
        "아니요"
    ]
)
_OR = frozenset(("of",))  #: or, in Dutch; in English it corrects only where a sentence begins with it
OR_ELSE = all_words(["or oder ou o of eller czy lub nebo или або vagy veya tai"])  #: with which a question goes on
_CORRECTING_AT_ALL = (CORRECTING | _CORRECTING_ALONE | _STOPPING) - _OR
_BESIDE_NO = all_words(["please oh hm hmm well ah but bitte ach och s'il te vous plaît por favor per favore"])
_TAKES_BACK = re.compile(
    rf"(?<![\w'])(?:{'|'.join(_TAKING_BACK.values())})(?![\w'])|"
    "等一下|再想|想想|考虑|考慮|考え|けど|かも|いや|算了|不对|不是|不要|아니|等等|还是|還是|改成|やっぱり|やはり|아니다|다시|稍等|取消|走错|待って|間違え|まちがえ|잠깐|취소|실수",
    re.IGNORECASE,
)
MOST_OF_CORRECTION = 12  #: words of a sentence
#: What somebody says who is not sure.
_HESITATING = {
    "English": "unsure|undecided|uncertain|maybe|perhaps|possibly|probably|h+mm+|or not|dunno|(?:do not|don'?t) know|"
    "not (?:so |quite |really |very |too |entirely |at all )?(?:sure|certain|convinced)",
    "German": "unsicher|unschlüssig|vielleicht|eventuell|weiß nicht|oder (?:auch |doch |lieber )?nicht|"
    "nicht (?:so |ganz |wirklich |sehr )?(?:sicher|überzeugt)",
    "French": "peut[- ]être|ou pas|je ne sais pas|pas (?:très |vraiment |trop )?(?:sûre?|certaine?)|j'hésite",
    "Spanish, Portuguese": "quizás?|tal ?vez|o no|ou não|no sé|"
    "(?:no|não) (?:estoy|estou|tengo|tenho|muy) (?:muy |mucha |muita )?(?:segur[oa]|certeza)|dudo",
    "Italian": "forse|o no|non (?:so|sono|ne sono) (?:molto )?sicur[oa]",
    "Dutch": "misschien|of niet|weet (?:het )?niet|niet (?:zo |helemaal )?zeker|twijfel",
    "Swedish, Danish, Norwegian": "kanske|måske|kanskje|eller (?:inte|ikke)|osäker|usikker|"
    "(?:inte|ikke) (?:helt |så )?(?:säker|sikker)",
    "Polish, Czech": "być może|chyba|nie jestem (?:pewien|pewna)|możná|nejsem si jist[ýá]",
    "Russian, Ukrainian": "может быть|или нет|не знаю|возможно|наверное|не уверена?|можливо|не впевнен[аий]*",
    "Finnish, Hungarian, Turkish": "ehkä|en ole varma|talán|nem vagyok biztos|belki|emin değilim",
}
_HESITATES = re.compile(rf"(?<![\w'])(?:{'|'.join(_HESITATING.values())})(?![\w'])", re.IGNORECASE)
_BESIDE_DOUBT = all_words(
    [
        "i i'm am but and ok okay well so sure about if of this that it is one move the a bit little still yet very "
        "really right good best or then idea honest to be though oh myself either",
        "ich bin mir da aber gut ok ob das der dieser zug so richtig ist noch ganz ehrlich gesagt",
        "je suis mais de ce coup estoy pero de esta jugada ma di questa mossa ik ben maar van deze zet jag är men det "
        "jeg er ale tego nie wiem no но я это в этом oder auch ou o of eller het not nicht pas niet inte ikke",
    ]
)
#: Words with which a question begins that has no question mark; but not `what a game`.
_ASKING = {
    "English": "what how why which who where should shall can could may would is are do does did am whats hows",
    "German": "was wie warum wieso weshalb welche welcher welches welchen wann wer wo soll sollte kann könnte darf "
    "ist sind meinst findest",
    "French": "quoi que comment pourquoi quel quelle qui où est-ce puis-je dois-je peut-on",
    "Spanish, Portuguese": "qué que cómo cuál quién dónde puedo debo qual quem onde posso devo será",
    "Italian": "che cosa come perché quale chi dove posso devo",
    "Dutch": "wat hoe waarom welke wie waar mag kan zal moet",
    "Polish, Czech": "co jak dlaczego czy kto gdzie mohu mám proč jaký",
    "Russian, Ukrainian": "что как почему какой кто где можно стоит що чому чи",
    "Swedish, Danish, Norwegian": "vad hur varför vilken vem ska hvad hvordan hvorfor hvilken hvem skal hva",
    "Finnish, Hungarian, Turkish, Greek": "mitä miksi kuka pitäisikö mit miért melyik hogyan ne neden nasıl τι πώς "
    "γιατί",
}
#: Words at the end of a line that goes on in the next one.
_OPEN = {
    "English": "play plays played playing move moves moved about with of was is are been than like try choose prefer "
    "expected saw see and the a an my your for by as it but",
    "German": "spiele spielst gespielt spielen ziehe zog gezogen über mit von war ist als wie mein dein zug und der "
    "die das",
}
#: Good wishes. A text of nothing else is a comment, also directly behind a move.
_WISHES = {
    "English": "good luck thanks thank thx ty tnx cheers have enjoy nice great lovely fine well hi hello hey gg gl "
    "hf glhf bye goodbye see regards greetings best kind happy your pleased pleasure please pls plz wish skål",
    "laughter": "lol haha hahaha hehe hihi jaja xd",
    "German": "viel glück danke dank gute guten gutes guter schönes schöner schönen tschüss hallo moin servus gruß "
    "grüße gruss gruesse lg vg mfg liebe viele beste spaß vielen bis freut bitte",
    "French": "bonne bon merci salut bonjour amicalement cordialement bien enchanté enchantée svp",
    "Spanish, Portuguese": "buena suerte gracias hola saludos suerte boa sorte obrigado obrigada abraço buen encantado "
    "encantada",
    "Italian": "buona fortuna grazie ciao saluti bella",
    "Dutch": "veel succes bedankt dank groeten groetjes mooi",
    "Swedish, Danish, Norwegian": "lycka tack hej held tak hilsen takk lykke hälsningar mvh vh",
    "Polish, Czech, Russian": "powodzenia dzięki pozdrawiam cześć hodně díky ahoj удачи спасибо привет",
    "Finnish, Hungarian, Turkish, Greek": "onnea kiitos terveisin sok köszönöm szia iyi selam merhaba şanslar "
    "teşekkürler καλή ευχαριστώ γεια",
    "Asian": "ありがとう ありがとうございます よろしく よろしくお願いします 谢谢 謝謝 祝你好运 你好 감사합니다 "
    "고마워요 شكرا תודה",
}
_BESIDE = {
    "English": "a an the and for to too you very much so far game games move play played playing match turn fun day "
    "evening morning night afternoon weekend week later soon again everybody all of luck one my friend friends buddy "
    "opening meet meeting with this me us",
    "German": "ein und für dir euch auch sehr so weit spiel partie zug gespielt dran tag abend morgen nacht woche "
    "wochenende später bald mal alle dich glück schöne gute mich "
    "kennenzulernen erfolg",
    "French, Spanish, Italian": "chance journée soirée partie partida juego jeu partita giornata à toi a ti la le de "
    "et y e",
    "Dutch, Swedish, Danish, Norwegian": "je spel partij plezier till med dig spelet og",
    "Polish, Czech, Russian, Hungarian": "za grę štěstí szerencsét za hru тебе",
    "Finnish, Hungarian, Turkish": "peliin sikert oyunlar şanslar",
}
#: The words of which most sentences consist, in the languages whose doubts we know best.
_USUAL = {
    "English": "a about after again ago all almost alone along already also always am an and another any anyway are as "
    "at away back bad be because been before being best better big bit both busy but by came cat children city close "
    "coffee cold come coming could country course dad days delay did do does dog doing done dont down each early email "
    "end ending enjoying even ever every everyone family far fast favorite favourite few finally fine first five for "
    "forward four fresh from full fun games garden get getting give go goes going gone good got great greetings had "
    "half happy hard has have having he health heard hello help her here him his holiday holidays home hot hour hours "
    "house how i i'll i'm i've in indeed into interesting is it it's its job just keep kids knee know last late lately "
    "left let let's letter life like line lines little long look looking lost lot lots love made mail make making "
    "man many me means men met minutes mom monday month months more morning most mother much mum my myself name "
    "nearly need never new next night nobody now of off often ok old on once one only open opening other our out "
    "outside over own part past people place played player playing plays post quick quickly quiet quite rain raining "
    "rather read ready real really reply respect right rome said same saw school second see seen sent she short "
    "should sick since slow small snow so some something soon sorry spring start started starts still stuff style "
    "summer sun sunny sure swim take talk tea than thank that that's the their them then there these they thing "
    "things thinking this those though three through till time times tired to today together told too took tough "
    "town tricky tried trip try trying two under up us usual usually very visit want wanted was watch watching way "
    "we weather week weekend well went were what when where which while who wife will winter wish with without won "
    "wonderful work working works world worry year years yes yet you you'll you're you've young your yours",
    "German": "ab aber abend alle allem allen aller alles als alte alten am an andere anderen arbeit auch auf aus bald "
    "bei beim bekommen bin bis bist bleibt da dabei dafür damit danach dann das dass dein deine dem den denn der des "
    "dich die dies diese diesem diesen dieser dieses dir doch dort dran drei du durch ein eine einem einen einer eines "
    "einmal ende endlich er erst es etwas euch euer eure fast für ganz gar geht gekommen gemacht genau gerade gern "
    "gerne gestern gibt ging gut habe haben hab hat hast hatte hatten haus heute hier ich ihm ihn ihr ihre im immer in "
    "ins ist jahr jahre ja jetzt kaffee kalt kam kein kinder komme kommen kommt krank lang lange langsam lasse leider "
    "lieber los mache machen macht mal man mehr mein meine meinem meinen meiner mich mir mit mittag monat morgens muss "
    "nach neue neuen neues noch nun nur ob oft ohne paar regen regnet schnee schnell schon sehr sein seine seit selbst "
    "sich sie sind so sonne spaß spiele spielen spielt stunde stunden tage tagen tut über um und uns unser unsere "
    "unter vielen vom von vor wäre war waren was weg weil weiter wenig wetter wie wieder wird wir wirklich wo woche "
    "wochen wünsche zeit zu zum zur zurück zwei zwischen eröffnung",
    "others": "ouch wow demain bientôt mañana luego hasta domani presto amanhã até straks tot",
}
#: Phrases with a denial that mean well.
NO_HURRY = (
    *("no hurry", "no rush", "no worries", "no problem", "not bad", "keine eile", "kein problem", "kein stress"),
    *("no pasa nada", "nie ma sprawy", "nie ma problemu", "ei se mitään", "ingen fara", "nema problema"),
    *("non fa niente", "pas de souci", "sin prisa", "nessun problema", "geen haast", "geen probleem", "ingen stress"),
    *("ingen brådska",),
)
_ASKING_WORDS, _OPEN_WORDS = all_words(_ASKING.values()), all_words(_OPEN.values()) | JOINING
#: What makes a call of it: what a game, how nice to see you, wie schön.
_CALLS = frozenset(("a", "an", "für", "nice", "lovely", "kind", "good", "great", "funny", "schön", "nett", "lustig"))
_SIGNS = re.compile(r"[^\w'-]+")
_WISH_WORDS = all_words(_WISHES.values())
_ALL_WISHES = _WISH_WORDS | all_words(_BESIDE.values())
_READ = _ALL_WISHES | all_words(_USUAL.values())
_SHORT_WISH = 4  #: words, of which the first one is enough to know it
MOST_OF_TAG = 3  #: words that may be a doubt in a language or words that are not known: mi pare
_SHORT_ORDER = 6  #: words of a sentence that tells us to do something with a move
THIS = all_words(["that this it das dies diesen den es"])
_DOUBT_WORDS, _CLEAR = all_words((*_DOUBTS.values(), *_TOLD.values())), all_words(_NO_DOUBT.values())
_FOREIGN_DOUBTS = all_words(row for name, row in _DOUBTS.items() if name not in ("English", "German")) - _READ
_LATER_WORDS, _ABSENT_WORDS = all_words(_LATER.values()), all_words(_ABSENT.values())
#: All words of the tables about sentences. Who writes one in the wrong place has not written a password.
KNOWN = _ALL_WISHES | _DOUBT_WORDS | DENIALS | JOINING | OTHERS | OWN | PLAYING | POLITE
_OF_TABLES = _READ | KNOWN


def doubts(word: str) -> bool:
    """Return whether a word in lower case leaves in doubt whether a move beside it is meant."""
    return word in _DOUBT_WORDS or (word not in _CLEAR and (word in DENIALS or denies(word)))


def puts_off(words: Sequence[str]) -> bool:
    """Return whether a sentence, as words in lower case, is about another time, and is no wish or news for then."""
    is_wish = bool(words) and (words[0] in _WISH_WORDS or words[0] in ("à", "a"))  # à demain, a domani
    return not is_wish and _ABSENT_WORDS.isdisjoint(words) and not _LATER_WORDS.isdisjoint(words)


def is_tag(words: Sequence[str]) -> bool:
    """Return whether words in lower case only ask whether one is right."""
    return len(words) == 1 and words[0] in _TAGS


def takes_back(sentence: str, words: Sequence[str]) -> bool:
    """Return whether a short sentence, also given as words in lower case, takes back or doubts a move above it.

    A legal notice says `disregard`, too, and is long or has the words of a gateway.
    """
    if not 0 < len(words) <= MOST_OF_CORRECTION or sum(word in GATEWAY for word in words) > 1:
        return False
    first = next((word for word in words if word not in _BESIDE_NO), "")  # ach nein, d4
    is_short = len(words) <= _SHORT_ORDER
    known = sum(word in _READ for word in words)
    says_no = set(words) - _BESIDE_NO <= _CORRECTING_ALONE | _STOPPING and not _BESIDE_NO.issuperset(words)
    return (
        (first in _STOPPING and _EXCUSING.isdisjoint(words))
        or (words[0] in OR_ELSE and ("?" in sentence or asks(words[1:])))  # or should I wait?
        or words[0] in _PROVIDED
        or (is_short and words[0] in _IF and not THIS.isdisjoint(words))
        or (words[0] == "sorry" and not is_read(words[1:2]))  # fat fingers
        or words in (["not"], ["nicht"])
        or orders(words)
        or (len(words) <= _MOST_OF_HANDLING and not _HANDLING.isdisjoint(words) and _TO_THEM.isdisjoint(words))
        # In other languages we miss the idioms: come non detto.
        or not (is_read(words) or _FOREIGN_DOUBTS.isdisjoint(words))
        or (len(words) <= _SHORT_WISH and known <= 1 and not (is_read(words) or FOREIGN_DENIALS.isdisjoint(words)))
        or says_no
        or revokes(sentence)
        or _hesitates(sentence)
    )


def revokes(text: str) -> bool:
    """Return whether a text takes back the move before it, whatever else it says."""
    return _TAKES_BACK.search(text) is not None


def corrects(words: Sequence[str]) -> bool:
    """Return whether words in lower case correct a move, if another one is among them."""
    return not _CORRECTING_AT_ALL.isdisjoint(words) or not _OR.isdisjoint(words[:1])


def asks(words: Sequence[str]) -> bool:
    """Return whether a sentence, as words in lower case, begins as a question does."""
    return bool(words) and words[0] in _ASKING_WORDS and _CALLS.isdisjoint(words[1:2])


def may_ask(word: str) -> bool:
    """Return whether a question can begin with a word in lower case; this alone denies nothing."""
    return word in _ASKING_WORDS or word in _LATER_WORDS or word in INVITING


def goes_on(words: Sequence[str]) -> bool:
    """Return whether a line without a sign at its end, as words in lower case, goes on in the line below."""
    return bool(words) and words[-1] in _OPEN_WORDS


def is_read(words: Sequence[str], names: Collection[str] = ()) -> bool:
    """Return whether we know most words of a sentence, in lower case, so that we would know a doubt in it.

    Of a wish in any language its first word is enough.
    """
    unread = [word for word in words if word not in _READ and word not in names and not word.isdecimal()]
    is_wish = bool(words) and words[0] in _WISH_WORDS and len(words) <= _SHORT_WISH
    return is_wish or len(words) >= 3 * len(unread)


def orders(words: Sequence[str]) -> bool:
    """Return whether a short sentence does something to `that` in a word of no table: ditch that, my cat typed that."""
    rest = [word for word in words if word not in POLITE or word in THIS] if len(words) <= _SHORT_ORDER else []
    return any(then in THIS and word not in _OF_TABLES for word, then in pairwise(rest))


def conditions(words: Sequence[str]) -> bool:
    """Return whether a part of a sentence, as words in lower case, makes a move depend on something."""
    return not (_IF - {"om", "als", "ha"} | _PROVIDED | _RATHER).isdisjoint(words)


def is_unknown_tag(text: str, names: Collection[str] = ()) -> bool:
    """Return whether a text is up to three words of which we know none, and the first one has no capital letter."""
    words = text.split() if not UNREAD.search(text) else []
    bare = [_SIGNS.sub("", word) for word in words] if len(words) <= MOST_OF_TAG else []
    is_known = any(word in _OF_TABLES or word in names for word in map(str.lower, bare))
    return bool(bare) and not is_known and bare[0].isalpha() and bare[0].islower()


def wishes_well(words: Sequence[str], names: Collection[str] = ()) -> bool:
    """Return whether words in lower case are nothing but good wishes, perhaps with the names of those who play."""
    return bool(words) and words[0] in _WISH_WORDS and all(word in _ALL_WISHES or word in names for word in words)


def _hesitates(sentence: str) -> bool:
    """Return whether a sentence only says that its writer is not sure, as `not sure about this` does."""
    words = _HESITATES.sub(" ", sentence.lower()).replace(",", " ").split()
    return _HESITATES.search(sentence) is not None and _BESIDE_DOUBT.issuperset(words)

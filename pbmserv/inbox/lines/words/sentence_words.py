"""Words of sentences about moves, by language: those that deny or doubt a move, and those that mean nothing there.

A word that is missing here is no harm: then less is offered, or the offer is one that the player can refuse.
"""

import re
from collections.abc import Iterable

#: Words that deny a move, make it depend on something, name others beside it, or ask about it.
_DENIALS = {
    "English": "not no never nothing none neither nor cannot cant dont wont wouldnt shouldnt isnt without except "
    "unless instead rather avoid anything everything nobody if whether or either when once after before until why what "
    "which how than against forget refuse cancel skip illegal impossible wrong mistake "
    "bad terrible nonsense stupid blunder loses question forbidden hate dislike dead nope nah",
    "German": "nicht nichts nie niemals nimmer nein nö ohne außer ausser statt anstatt stattdessen weder alles niemand "
    "wenn falls ob oder entweder sobald nachdem bevor ehe warum wieso weshalb wie was welche welcher welchen gegen "
    "schlecht unsinn quatsch fehler dumm blöd falsch verboten unmöglich verzichte verzichten hasse weg",
    "French": "ne pas jamais non rien aucun sauf sans si ou quand pourquoi plutôt lieu",
    "Spanish": "no nunca jamás jamas nada sin salvo excepto si cuando porque vez",
    "Italian": "non mai niente senza tranne se oppure quando perché invece",
    "Portuguese": "não nao nunca jamais nada sem exceto se ou quando",
    "Dutch": "niet nooit geen niets nee zonder behalve wanneer waarom tenzij",
    "Polish": "nie nigdy bez oprócz jeśli jeżeli albo lub gdy",
    "Czech, Slovak": "ne nikdy bez kromě pokud nebo nie",
    "Russian, Ukrainian": "не ни нет никогда без кроме если или когда ніколи якщо або",
    "Swedish, Danish, Norwegian": "inte aldrig ingen inget utan om eller ikke aldri ingenting uden uten hvis medmindre",
    "Finnish": "ei älä koskaan ellei jos tai",
    "Hungarian": "nem soha ha vagy kivéve",
    "Turkish": "değil asla hayır eğer veya",
    "Greek": "όχι ποτέ δεν αν ή εκτός",
}
#: Words between a piece and its square, or between two squares.
_JOINING = {
    "signs": "- -- > = : + x",
    "English": "to from on at the takes captures goes go moves move jumps steps arrow shoots back lands landing",
    "German": "nach auf von vom zu zum der die das den schlägt schlaegt nimmt geht zieht springt läuft pfeil schießt "
    "zurück landet",
    "French, Spanish, Italian": "à a de du vers sur prend en al hacia come in da",
    "Dutch": "op naar van slaat",
    "Polish, Russian": "na z do bije на с бьёт бьет",
    "Swedish, Danish, Norwegian": "til fra från till slår på",
}
#: Words before a move that names no piece, as in `I play e4`. Any other word there might name one.
_PLAYING = {
    "English": "i i'll i'd my move moves play plays playing is will just then now so ok okay go going and well yes "
    "please let lets let's try choose with about answer reply guess hmm hm um sow here",
    "German": "ich mein zug ziehe spiele nehme setze mache ist also dann jetzt gut ja und bitte mit weiter",
    "French, Spanish, Italian": "je joue jouons pose prends mon coup avec juego pongo tomo mi jugada con gioco "
    "metto la mia mossa",
    "Portuguese": "jogo meu lance",
    "Dutch, Polish, Russian": "ik speel neem mijn zet met gram zagram мой ход хожу играю я",
    "Swedish, Danish, Norwegian, Czech": "spelar spiller drag træk trekk hraju jag jeg lägger sätter lægger sætter "
    "legger setter táhnu pokládám",
    "Polish, Russian": "zagrywam stawiam kładę ставлю",
    "Finnish, Hungarian, Turkish, Greek": "pelaan siirrän siirtoni lépek lépem játszom oynuyorum oynarım hamlem παίζω",
}
#: Words of those who say that they play, whatever else they say of it.
_MOVING = {
    "English": "play sow",
    "German": "spiele spielen ziehe setze zug",
    "French, Spanish, Portuguese, Italian": "joue jouons jouer coup pose prends juego jugar jugada pongo poso jogo "
    "jogar jogada lance jugaré jouerai giocherò jogarei gioco giocare mossa muovo metto",
    "Dutch, Swedish, Danish, Norwegian": "speel spelen zet schuif spelar spela drag spiller spille træk trekk lägger "
    "sätter lægger sætter legger setter",
    "Polish, Czech, Russian, Ukrainian": "gram grać zagrać ruch zagrywam stawiam kładę hraju hrát tah táhnu pokládám "
    "хожу ход играю ставлю граю хід",
    "Finnish, Hungarian, Turkish, Greek": "pelaan siirrän siirtoni lépek lépem játszom oynuyorum oynarım hamlem παίζω",
}
#: Words with which people speak of what they do, and of what others do.
_OWN = {
    "English": "i i'll i'm my mine",
    "German": "ich mein meine",
    "others": "je mon yo mi io ik mijn ja mój я мой jag jeg",
}
_OTHERS = {
    "English": "you your yours you're u he she he's she's his her who",
    "German": "du dein deine dir dich sie ihr ihre er sein wer",
    "Dutch": "jij",
}
#: Whom somebody tells of who plays elsewhere, or whose advice it is, and words for a board that is not this one.
_ABSENT_ONES = {
    "English": "friend friends buddy mate brother sister father mother dad mom mum wife husband son daughter "
    "grandfather grandmother grandpa grandma cat dog computer engine book books master everybody everyone somebody "
    "someone people they their we've other another",
    "German": "freund freundin bruder schwester vater mutter frau mann sohn tochter opa oma katze hund computer buch "
    "jemand jeder alle leute anderen andere anderer anderes",
    "others": "ami amie frère soeur père mère autre amigo amiga hermano hermana padre madre otro otra irmão pai mãe "
    "outro outra amico amica fratello sorella altro altra vriend broer vader moeder andere",
}
#: Words of those who tell what was played, and of those who say what could be.
_PAST = {
    "English": "was were been had played moved",
    "German": "war waren gewesen hatte hatten spielte spielten gespielt gezogen",
    "French, Spanish, Portuguese, Italian": "était jouait joué jugué jugaste jugó jugado fue era había joguei jogou "
    "jogado foi tinha giocato giocai giocò aveva",
    "Dutch, Swedish, Danish, Norwegian": "speelde speelden gespeeld spelade spelat spillede spillet spilte hade havde "
    "hadde",
    "Polish, Czech, Russian": "grałem grałam grał zagrałem zagrałam zagrał był było hrál hráli hrálo byl bylo играл "
    "играла сыграл сыграла был было",
}
_WOULD = {
    "English": "would should could might would've should've could've",
    "German": "würde würdest würden sollte solltest könnte könntest wäre hätte",
    "others": "serait devrait pourrait sería debería podría seria deveria poderia sarebbe dovrebbe potrebbe zou moest "
    "skulle burde byłoby powinien",
}
#: Words that a move which is itself a word does not stand beside: that's right, count me in, pass it on.
_POINTING = {
    "English": "that that's this it it's was me us all i'm am are",
    "German": "das es war mir mich uns bin sind",
}
#: Words with which people ask others for something, such as a draw.
_INVITING = {
    "English": "about would like want fancy agree can could may let's lets",
    "German": "lass lasst möchtest willst wollen wollt magst hättest lust kann könnte können darf dürfte wäre",
    "others": "veux voulez quieres quiere vuoi wil vill vil chcesz chceš хочешь",
}
#: Words with which others are told to do something, or agreed with.
_URGING = {
    "English": "then so just go ok okay yes yeah sure fine well now right course",
    "German": "dann also nun jetzt los ja gut na",
    "others": "alors donc oui entonces pues sí allora dus dan",
}
#: Words of such a question that deny or doubt a move.
_TO_OTHERS = {"English": "how what you", "German": "wie was du dir ihr sie", "others": "que"}
#: Words of questions about what a server has: what games are there?
_ASKING = {
    "English": "what which who's do does you your have has are there here is show send see tell about play plays",
    "German": "welche was wer gibt es habt hast habe ihr zeig zeige sende spielt hier",
}
#: Words of the banners that gateways put above a mail. Two of them are enough: no move is spoken of in them.
_GATEWAY = {
    "English": "caution warning attention external outside originated organization organisation company sender senders "
    "attachment attachments link links click phishing phish suspicious unverified untrusted verify recognize recognise "
    "scanned virus email e-mail mail message learn important recipient recipients intended addressee confidential "
    "received error",
    "German": "achtung warnung vorsicht extern externe externer externen außerhalb absender absenders anhang anhänge "
    "anlagen klicken mail nachricht geprüft verdächtig unbekannt unbekannten "
    "empfänger adressat vertraulich irrtümlich erhalten",
    "French": "attention externe extérieur expéditeur courriel message pièces jointes liens cliquez",
    "Spanish, Portuguese, Italian": "atención cuidado externo externa remitente mensaje adjuntos enlaces correo "
    "remetente anexos mensagem attenzione esterno esterna mittente allegati collegamenti messaggio",
    "Dutch, Swedish, Danish, Norwegian": "opgelet externe afzender bijlagen klik bericht varning extern avsändare "
    "bilagor länkar ekstern afsender avsender vedhæftede vedlegg lenker links",
    "Polish, Czech, Russian": "uwaga zewnętrzny zewnętrzna nadawca nadawcy załączników wiadomość pozor externí "
    "odesílatel přílohy внимание внешний внешнего отправитель отправителя вложения письмо",
}
#: Words of politeness, which may stand beside any others.
_POLITE = {
    "English": "please thanks thank you very much i we me us do of course that this it is was my our the a an and "
    "hereby want to would like could can may i'd i'm it's that's "
    "hi hello hey dear there all with kind regards best cheers now",
    "German": "bitte danke sehr schön gerne gern natürlich ich mich mir uns wir das es war ist hiermit meine die der "
    "den ein eine einen und hallo guten tag liebe grüße viele möchte will würde kannst können du sie jetzt",
    "French": "s'il vous plaît merci je j'aimerais voudrais veux moi mon une un le la les bonjour",
    "Spanish, Portuguese, Italian": "por favor gracias soy yo mi quiero quisiera hola una un la el obrigado quero "
    "grazie prego per favore lo vorrei voglio ciao",
    "Dutch, Swedish, Danish, Norwegian": "graag bedankt dank wil ik een het hallo hej jeg jag vil vill tack tak takk",
    "Polish, Czech, Russian": "proszę dziękuję chcę chciałbym prosím děkuji chci пожалуйста спасибо хочу я",
}
#: Whole sentences, most of languages in which we write no letters, by the verb that they mean. It is only offered.
SAID_FOR = {
    "resign": "i give in|i surrender|i concede|i yield|ich kapituliere|ich ergebe mich|ich gebe mich geschlagen|"
    "capitulo|je capitule|lo dejo abandono|me retiro abandono|i capitulate|"
    "je me rends|je renonce|j'abandonne|me rindo|abandono|desisto|mi arrendo|"
    "abbandono|ik geef op|"
    "ik geef het op|jag ger upp|jeg giver op|jeg gir opp|poddaję się|poddaje sie|vzdávám se|vzdávám to|сдаюсь|я сдаюсь|"
    "здаюся|feladom|pes ediyorum|luovutan|投了|投了します|负けました|負けました|认输|我认输|認輸|기권",
    "undo": "je voudrais reprendre mon coup|reprendre mon coup|je reprends mon coup|quiero deshacer mi jugada|"
    "deshacer mi jugada|deshacer|quero voltar minha jogada|desfazer|ritiro la mossa|vorrei ritirare la mossa|"
    "ik wil mijn zet terugnemen|zet terugnemen|terugnemen|ångra|fortryd|angre|cofnij|chcę cofnąć ruch|cofnąć ruch|"
    "vrátit tah|вернуть ход|взять ход назад|верните ход|待った|悔棋|무르기",
    "accept": "j'accepte la nulle|j'accepte|d'accord|nulle acceptée|acepto las tablas|acepto|de acuerdo|aceito "
    "o empate|"
    "aceito|patta accettata|accetto la patta|accetto|d'accordo|akkoord|ik accepteer|ik accepteer remise|jag accepterar|"
    "jeg accepterer|zgoda|akceptuję|zgadzam się na remis|souhlasím|přijímám|согласен|согласна|согласен на ничью|"
    "согласна на ничью|принимаю|згоден|elfogadom|kabul|kabul ediyorum|hyväksyn|同意|接受|同意和棋|동의",
    "reject": "play on|i play on|i want to play on|i'd rather play on|we play on|let's play on|lets play on|"
    "weiterspielen|ich spiele weiter|wir spielen weiter|on continue|seguimos jugando|"
    "je refuse|je refuse la nulle|rechazo|rechazo las tablas|no acepto|recuso|não aceito|rifiuto|ik weiger|"
    "odrzucam|nie zgadzam się|odmítám|не согласен|не согласна|отказываюсь|拒绝|不同意|断ります",
    "rematch": "one more game|another game|another round|play again|one more|noch eine partie|noch ein spiel|noch eine "
    "runde|encore une partie|une autre partie|otra partida|outra partida|un'altra partita|nog een potje|nog een partij|"
    "ett parti till|jeszcze jedna partia|ještě jednu partii|ещё партию|ещё одну партию|再来一局|もう一局",
    "propose": "je propose nulle|je propose la nulle|nulle|tablas|ofrezco tablas|propongo tablas|empate|"
    "proponho empate|"
    "patta|propongo patta|offro patta|remise|ik bied remise aan|ik stel remise voor|proponuję remis|nabízím "
    "remízu|remíza|"
    "предлагаю ничью|ничья|döntetlen|berabere|tasapeli|引き分け|和棋|求和|무승부",
}
#: Whole sentences by the move that they mean, if the game has it. It is only offered.
SAID_FOR_MOVES = {
    "pass": "skip|i skip|skip my turn|"
    "pas|ik pas|passe mon tour|je passe mon tour|io passo|eu passo|passo a vez|paso turno|passar|jag passar|"
    "passer|jeg passer|melder pas|pasuję|ohitan|passzolok|pas geçiyorum|πάσο|пропускаю|пропускаю ход|パス|パスします|"
    "パスです|パスする|停一手|停着|虚手|虚着|我停一手|我放弃一手|弃一手|패스|패스합니다|한수쉼",
    "roll": "roll'em|roll em|roll them|just roll|"
    "i roll the dice|roll the dice|throw the dice|throw the dice for me|throw the dice for me pls|"
    "würfeln|ich würfle|würfle|wirf die würfel|je lance les dés|lance les dés|tiro los dados|tiro i dadi|"
    "ik gooi|rzucam|rzucam kośćmi|házím|бросаю|бросаю кости|kastar|jag kastar|kaster",
    "double": "turning the cube|turning the cube to 2|turn the cube to 2|i turn the cube to 2|cube to 2|"
    "i turn the cube|turn the cube|i'm turning the cube|i offer the cube|ich verdopple|verdopple|ich dopple|"
    "je double la mise|doblo|raddoppio|ik verdubbel|dubluję|podwajam|удваиваю|jag dubblar",
    "swap": "ich tausche|i take over your stone|ich werde tauschen|"
    "i swap sides|swap sides|i swap colours|swap colours|i take over your move|i take your stone|"
    "take over your move|i take your move|ich übernehme deinen zug|ich übernehme deinen stein|ich nehme deinen zug|"
    "ich tausche die seiten|ich tausche die farben|seiten tauschen|farben tauschen",
}
#: What people write around a move, without a space, to say that they play it.
AROUND_MOVE = re.compile(
    r"^\s*(?:我(?:就|想|要)?[走下出]?|[走下]|(?:私|僕|俺|わたし)(?:の手)?は|次は|저는|나는|제 수는)\s*|"
    r"\s*(?:です|とします|にします|で?お願いします|でいきます|と指します|に打ちます|を打ちます|吧|"
    r"를 둡니다|을 둡니다|둘게요|로 둘게요|입니다)?[。！!.]*\s*$"
)
#: Denials with endings, and with an apostrophe: don't, keinesfalls, n'irai.
#: The end of a part of a sentence. Each part has its own denial.
END_OF_PART = re.compile(r"[.,;:!?()…。、，]+|\s[-\u2010-\u2015]+\s")
_DENYING = re.compile(r".*n't|n'\w+|kein\w*|ningun\w*|nessun\w*|żad\w*|vermeide\w*")


def all_words(rows: Iterable[str]) -> frozenset[str]:
    """Return the words of all rows of a table."""
    return frozenset(" ".join(rows).split())


DENIALS, JOINING, PLAYING, OWN, OTHERS, POLITE, GATEWAY, ASKING = (
    all_words(table.values()) for table in (_DENIALS, _JOINING, _PLAYING, _OWN, _OTHERS, _POLITE, _GATEWAY, _ASKING)
)
INVITING, TO_OTHERS, URGING = (all_words(table.values()) for table in (_INVITING, _TO_OTHERS, _URGING))
AND = all_words(["and then und dann et puis luego poi en dan"])  #: between the moves of a list
#: Words before a noun, which is no move then, and words behind which somebody says what it is.
ARTICLES = all_words(["the a an der die das den ein eine einen le la les un une el los il lo o os de het"])
BEING = all_words(["is be was would were ist sein wäre war est serait es sería è sarebbe"])
#: Words behind a move that is itself a word, as in `Pass too`, and what those do not do who deny a move.
TOO = all_words(["too again also as well auch nochmal noch einmal ebenfalls aussi también anche ook"])
MEANING = all_words(["like want mean move choose take mag will möchte meine nehme"])
WITH = all_words(["with mit avec con com met med z с"])
CAPTURING = all_words(
    [
        "take takes captures capture recapture recaptures retake schlage schlägt nehme prends capturo tomo prendo sla "
        "slaan slaat slår bicie biję bije беру бью бьёт braní beru lyön ütés ütök"
    ]
)
CHECKING = all_words(
    [
        "check mate checkmate schach matt jaque échec echec mat scacco matto xeque szach šach schaak schack skak sjakk",
        "шах мат",
    ]
)
HOPING = all_words(["hope hoffe espère espero spero hoop hoppas håber håper"])  #: at the end: one stone only, I hope
_BEST_KNOWN = all_words(_DENIALS[language] for language in ("English", "German"))
FOREIGN_DENIALS = DENIALS - _BEST_KNOWN
ABSENT_ONES = all_words(_ABSENT_ONES.values())
POINTING, MOVING = all_words(_POINTING.values()), all_words(_MOVING.values())
#: Words of those who tell what somebody wrote or said before.
WRITING = all_words(
    [
        "wrote written said schrieb schriebst geschrieben sagte écrit écrivais dit escribí escribiste dije escrevi",
        "disse scritto scrissi schreef geschreven skrev skrevet pisałem pisałam napisałem napisałeś писал писала",
    ]
)
PAST, WOULD = all_words(_PAST.values()), all_words(_WOULD.values())


def denies(word: str) -> bool:
    """Return whether a word in lower case denies or doubts what is said with it."""
    return word in DENIALS or _DENYING.fullmatch(word) is not None

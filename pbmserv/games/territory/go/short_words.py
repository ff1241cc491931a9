"""Pairs of letters that people write as words of some language, so that they are no point in the notation of SGF."""

_SHORT = (
    "ab ad af ah ai al am an ao aq as at bb bd be bf bg bo br bs by ca cd ce ci co da de di do dr du ed eg eh ei ej "
    "el em en er es et fa fr ga gb gd ge gg gi gj gl gm gn go gr ha he hf hi hm ho id ie if ii ik il im in io ir is "
    "it ja je ji jk jo ka ke ki kk ko kr la le lg li lo ma me mi mm mr ms na nb ne ni nm no np nr ob od of og oh oi "
    "ok ol om on op or os pa pc pm po ps re rg rs sa se si so sr ss st"
)
SHORT_WORDS = frozenset(_SHORT.split())

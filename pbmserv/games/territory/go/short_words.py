"""Pairs of letters that people write as words, so that they are no point in the notation of SGF."""

_SHORT = (
    "ab ad ah ai am an aq as at be bg bb bd bf br bs by cd da de di do du ed eg eh ei el em en er es et fa fr gb gd "
    "gg gj gl gm gn go gr ha he hf hi hm ho id ie if il im in io is it ja je jk jo ka kk kr la le lg li lo ma me mi mm "
    "mr ms na nb ne ni nm no np nr ob of oh ok om on op or os pa pc pm po ps re rg rs sa se si so sr ss st"
)
SHORT_WORDS = frozenset(_SHORT.split())

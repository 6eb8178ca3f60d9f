"""English forms that no ending tells apart from another word, or that change within."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

# The word that all are filed under, then its forms. A form that is another word at least as often
# ("saw", "felt", "lay", "wound") is here only where people who tell of their days mean this one.
_FORMS = """
go goes going gone went
do does doing did done
be is am are was were been being
have has had having
agree agreed agreeing
arise arose arisen
awake awoke awoken
bear borne
beat beaten
become became
begin began begun
bend bent
bet betting
bite bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
come came
creep crept
deal dealt
die died dies dying
dig dug
disagree disagreed
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
dye dyed dyeing
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
free freed
freeze froze frozen
get got gotten
give gave given
grow grew grown
guarantee guaranteed
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lead led
lean leant
leap leapt
learn learnt
leave left
lend lent
lie lied lies lying
light lit
lose lost
make made
mean meant
meet met
mow mown
overcome overcame
pay paid
prove proven
quit quitting
ride rode ridden
ring rang rung
rise risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
ski skis skied skiing
sleep slept
slide slid
smell smelt
speak spoke spoken
spell spelt
spend spent
spill spilt
spin spun
spoil spoilt
stand stood
steal stole stolen
stick stuck
sting stung
strike struck stricken
strive strove striven
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
tie tied ties tying
undergo underwent undergone undergoes
understand understood
undertake undertook undertaken
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
withdraw withdrew withdrawn
write wrote written
ad ads
analysis analyses
api apis
bias biases biased
bus buses
calf calves
canvas canvases
cd cds
cpu cpus
child children
crisis crises
curriculum curricula
diagnosis diagnoses
foot feet
gas gases
goose geese
guru gurus
half halves
hypothesis hypotheses
knife knives
lens lenses
loaf loaves
man men
menu menus
mouse mice
ox oxen
pc pcs
person people
quiz quizzes quizzed quizzing
scarf scarves
self selves
shelf shelves
taxi taxis
thesis theses
thief thieves
tooth teeth
tv tvs
wife wives
wolf wolves
woman women
embed embeds embedded embedding
evening evenings
program programme programmes
saute sauteed sauteing
news
flor flores
mes meses
vez vezes
luz luzes
hotel hoteis
papel papeis
"""


def _filed() -> Iterator[tuple[str, str]]:
    for line in _FORMS.split("\n"):
        word, *forms = line.split() or [""]
        yield from ((form, word) for form in (word, *forms) if form)


IRREGULAR: Mapping[str, str] = MappingProxyType(dict(_filed()))
"""From a form to the word that it is filed under; such a word stands for itself."""

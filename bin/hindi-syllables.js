// The syllables that the font of Hindi joins well. Rarer ones are drawn from half letters or with a halant, which can be
// read as well.
const CONSONANTS = [...'कखगघङचछजझञटठडढणतथदधनपफबभमयरलळवशषसह', 'क़', 'ख़', 'ग़', 'ज़', 'ड़', 'ढ़', 'फ़']
const SIGNS = ['', ...'ािीुूृेैोौॉॅ']
const NASALS = ['', 'ं', 'ँ', 'ः']

/** Conjuncts that are more than a half letter before a whole one. */
const CONJUNCTS =
  'क्ष ज्ञ त्त त्त्व श्र श्च श्न श्ल श्व क्त क्र त्र त्र्य स्त्र न्न ल्ल प्त च्च ज्ज ञ्च ञ्ज ङ्क ङ्ग च्छ ब्ध व्य ' +
  'द्ग द्घ द्द द्ध द्ब द्भ द्म द्य द्र द्व द्ध्य द्व्य ट्ट ट्ठ ट्य ट्र ड्ड ड्ढ ड्य ड्र ' +
  'ह्न ह्म ह्य ह्र ह्ल ह्व ष्ट ष्ठ ष्ट्र न्त्र न्द्र म्प्र क्ष्म क्ष्य ण्ड ण्ट ण्ठ न्त न्द स्ट स्थ'

const ZERO_WIDTH_JOINER = '\u200d'

/** All of them: consonants with each sign and nasal, below a reph, and as half letters; common conjuncts. */
export const HINDI_SYLLABLES = [
  ...CONSONANTS.flatMap(consonant => [
    `${consonant}्`,
    `${consonant}्${ZERO_WIDTH_JOINER}`,
    `${consonant}्र`,
    ...SIGNS.flatMap(sign => NASALS.map(nasal => consonant + sign + nasal)),
    ...['', 'ि', 'ी', 'े', 'ें', 'ै', 'ो', 'ों'].map(sign => `र्${consonant}${sign}`),
  ]),
  ...CONJUNCTS.split(' ').flatMap(conjunct => ['', 'ि'].map(sign => conjunct + sign)),
]

// The other words for a thing that has one word in a language (docs/glossary.md, "In other languages"). Each is refused where the
// English text has the term, as most of them are right for something else.
const OTHER_WORDS = [
  [
    'es',
    /\b(in|out of) range\b/i,
    /\b(dentro del? rango|fuera del rango|(dentro|fuera) de (los |sus )?límites)/i,
    'en rango, fuera de rango',
  ],
  ['es', /\breadings?\b/i, /\bmedici[oó]n/i, 'lectura'],
  ['es', /\bdevices?\b/i, /\baparatos?\b/i, 'dispositivo'],
  ['es', /\balarms?\b/i, /\balertas?\b/i, 'alarma'],
  ['es', /\bexcursions?\b/i, /\bdesv[ií]/i, 'excursión'],
  ['es', /\bdispatch settings\b/i, /ajustes de envíos/i, 'ajustes de despachos'],
  ['es', /\baudit trail\b/i, /pista de auditoría/i, 'registro de auditoría'],
  ['fr', /\breadings?\b/i, /(dernier|aucun|ses|les) relevé/i, 'mesure'],
  ['fr', /\bdevices?\b/i, /\bdispositifs?\b/i, 'appareil'],
  ['fr', /\balarms?\b/i, /\balertes?\b/i, 'alarme'],
  ['fr', /\bexcursions?\b/i, /écart|dépassement/i, 'excursion'],
  ['fr', /\bsettings\b/i, /(?<!pré)réglage/i, 'paramètre'],
  ['fr', /\bmails?\b/i, /(?<![-{\p{L}])mails?\b/iu, 'e-mail'],
  ['sw', /\breadings?\b/i, /\busomaji\b/i, 'kipimo'],
  ['sw', /\bexcursions?\b/i, /\bmi?kengeuko\b/i, 'mkiuko'],
  ['sw', /\backnowledged?\b/i, /thibitish/i, 'kubali'],
  ['sw', /\borders\b/i, /\bmaagizo\b/i, 'oda'],
]

/** One line for each text that has another word for a thing than the language's own. `languages` are Maps of texts by key. */
export function checkOneWord(languages) {
  const faults = []
  for (const [language, term, other, word] of OTHER_WORDS)
    for (const [key, text] of languages[language] ?? []) {
      // A plural form that English has not stands for its general one.
      const english = languages.en.get(key) ?? languages.en.get(key.replace(/_many$/, '_other')) ?? ''
      const found = term.test(english) && other.exec(text)
      if (found) faults.push(`${language} ${key}: "${found[0]}" is another word, take "${word}"`)
    }
  return faults
}

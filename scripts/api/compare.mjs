// Compares two descriptions of the API (describe.mjs), and says what a client that was made for the old one would fail at.
import { comparer } from './compare-types.mjs'

const partsOf = (lines, word) =>
  Object.fromEntries(
    Object.entries(lines)
      .filter(([key]) => key.startsWith(`${word} `))
      .map(([key, type]) => [key.slice(word.length + 1), type]),
  )

/** The entries of `before` that `after` has not. */
const lost = (before, after) => before.filter((each) => !after.includes(each))

function breaksOfHead(name, before, after) {
  const faults = []
  if (before.id !== after.id) faults.push(`${name}: is called ${after.id} in clients now`)
  if (before.needs !== after.needs) faults.push(`${name}: needs ${after.needs} now`)
  // A call without schemes is open to anyone.
  const isClosed = before.schemes.length === 0 && after.schemes.length > 0
  if (isClosed) faults.push(`${name}: is not open to anyone any more`)
  if (after.schemes.length > 0)
    for (const scheme of lost(before.schemes, after.schemes)) faults.push(`${name}: lets no ${scheme} in any more`)
  for (const status of lost(before.refused, after.refused)) faults.push(`${name}: answers no ${status} any more`)
  return faults
}

function breaksOfCall(name, before, after, types) {
  const faults = breaksOfHead(name, before.call, after.call)
  for (const word of ['path', 'query', 'header']) {
    const sent = { fields: { ...partsOf(before, word), '...': false } }
    faults.push(...types.sent(sent, { fields: { ...partsOf(after, word), '...': false } }, `${name} ${word}`))
  }
  const bodies = partsOf(after, 'body')
  const sentBodies = Object.entries(partsOf(before, 'body'))
  if (sentBodies.length === 0 && Object.keys(bodies).length > 0) faults.push(`${name}: wants a body now`)
  for (const [type, body] of sentBodies)
    if (type in bodies) faults.push(...types.sent(body, bodies[type], `${name} body`))
    else faults.push(`${name}: takes no ${type} any more`)
  return [...faults, ...breaksOfAnswers(name, 'answer', before, after, types)]
}

function breaksOfAnswers(name, word, before, after, types) {
  const answers = partsOf(after, word)
  return Object.entries(partsOf(before, word)).flatMap(([type, answer]) =>
    type in answers
      ? types.answered(answer, answers[type], `${name} ${word}`)
      : [`${name}: ${word}s no ${type} any more`],
  )
}

/** The faults, each a sentence that begins with its place; empty where every old client goes on. */
export function breaks(before, after) {
  const types = comparer(before, after)
  const faults = Object.entries(before).flatMap(([name, lines]) => {
    const isOperation = name.includes(' ')
    if (!isOperation) return []
    if (!(name in after)) return [`${name}: is gone`]
    return 'call' in lines
      ? breaksOfCall(name, lines, after[name], types)
      : breaksOfAnswers(name, 'sends', lines, after[name], types)
  })
  // Every refusal is an Error, and programs act on its code.
  const codes = ({ Error: error }) => error?.code?.in ?? []
  for (const code of lost(codes(before), codes(after))) faults.push(`Error.code: ${code} is told no more`)
  if ('Error' in before) faults.push(...types.answered('Error', 'Error', 'Error'))
  return [...new Set(faults)]
}

// Nothing that is asked for comes near them: the largest file of checkpoints has 180,000 values under a dozen names.
const deepest = 64
const maxValues = 200_000
const maxNames = 5_000
// Shorter texts have no room for more of either than is parsed at once.
const shortChars = 65_536

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether a JSON text is nested deeper than 64, or has more than 200,000 values or 5,000 names of fields, told without parsing it:
 * that costs milliseconds per megabyte, parsing it up to half a second.
 */
export function jsonFault(json: string | Buffer): 'tooDeep' | 'tooMany' | null {
  const codeAt = typeof json === 'string' ? (at: number) => json.charCodeAt(at) : (at: number) => json[at]
  const names = json.length > shortChars ? new Set<string>() : null
  let [depth, values] = [0, 1]
  for (let at = 0; at < json.length; at++) {
    const code = codeAt(at)
    if (code === quote) {
      const end = endOfText(json, at)
      if (names && isBeforeColon(json, end + 1)) {
        names.add(typeof json === 'string' ? json.slice(at, end) : json.toString('latin1', at, end))
        if (names.size > maxNames) return 'tooMany'
      }
      at = end
    } else if (code === comma) {
      values++
      if (values > maxValues) return 'tooMany'
    } else if (code === openList || code === openObject) {
      depth++
      if (depth > deepest) return 'tooDeep'
    } else if (code === closeList || code === closeObject) depth--
  }
  return null
}

function isBeforeColon(json: string | Buffer, from: number): boolean {
  for (let at = from; at < json.length; at++) {
    const code = typeof json === 'string' ? json.charCodeAt(at) : (json[at] ?? 0)
    if (code > 0x20) return code === colon
  }
  return false
}

/** Where the text ends that begins with the quotation mark at `start`; the end of all where it does not end. */
function endOfText(json: string | Buffer, start: number): number {
  const codeAt = (at: number) => (typeof json === 'string' ? json.charCodeAt(at) : json[at])
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0
    while (codeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
  return json.length
}

// Nothing that is asked for comes near it.
const deepest = 64

const [quote, backslash] = [0x22, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Whether a JSON text is nested deeper than 64, told without parsing it: a megabyte takes milliseconds. */
export function isTooDeep(json: string | Buffer): boolean {
  // Short texts are parsed before this would have looked at them.
  if (json.length <= deepest) return false
  const codeAt = typeof json === 'string' ? (at: number) => json.charCodeAt(at) : (at: number) => json[at]
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const code = codeAt(at)
    if (code === quote) at = endOfText(json, at)
    else if (code === openList || code === openObject) {
      depth++
      if (depth > deepest) return true
    } else if (code === closeList || code === closeObject) depth--
  }
  return false
}

/** Where the text ends that begins with the quotation mark at `start`; the end of all where it does not end. */
function endOfText(json: string | Buffer, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0
    while ((typeof json === 'string' ? json.charCodeAt(at - 1 - slashes) : json[at - 1 - slashes]) === backslash)
      slashes++
    if (slashes % 2 === 0) return at
  }
  return json.length
}

/** A longer one may break: a phone or a column has no more room. */
const longest = 20

interface UnbrokenProps {
  text: string
  /** In bold: what a row is known by. */
  isName?: boolean
}

/** A number or reference, which people read out and compare: on one line, not broken at its hyphens. */
export function Unbroken({ text, isName = false }: UnbrokenProps) {
  const style = text.length > longest ? undefined : ({ whiteSpace: 'nowrap' } as const)
  return isName ? <b style={style}>{text}</b> : <span style={style}>{text}</span>
}

/** A sentence whose numbers and references stay whole: "Start S-000006?". */
export const WithUnbroken = ({ text }: { text: string }) =>
  text.split(/(\s+)/).map((word, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of a sentence have no other key
    /\d/.test(word) && word.includes('-') ? <Unbroken key={at} text={word} /> : word,
  )

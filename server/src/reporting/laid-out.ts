import type PDFDocument from 'pdfkit'

/** The part of pdfkit's embedded font that lays a text out: its glyphs, and where each goes. */
interface LayoutFont {
  name: string
  layoutRun(text: string, features?: readonly string[]): object
}

/** Words and lines that are remembered, some kilobytes each. */
const maxRuns = 2_000
const runs = new Map<string, object>()

/** A hyphen at a letter, as in a name: Inter has a hyphen as wide as a figure among its tabular figures, which tears words apart. */
const joinsWords = /\p{L}-|-\p{L}/u

/** Inter's contextual alternates lift a hyphen between capitals by a hair, and take a quarter of the time of a report. */
const shaping = (text: string, features: readonly string[] = []) => ({
  ...Object.fromEntries(features.map((name) => [name, name !== 'tnum' || !joinsWords.test(text)])),
  calt: false,
})

/**
 * Has the font that a document writes with remember how it lay a text out. pdfkit does so only for texts without OpenType features, and all
 * of ours have tabular figures: each word was laid out when its table was measured, again when it was written, and twice because a document is.
 * A layout depends on the font, not on the document.
 */
export function rememberLayouts(doc: InstanceType<typeof PDFDocument>): void {
  const font = (doc as unknown as { _font: LayoutFont })._font
  // pdfkit hands features on to fontkit, which takes names, or names with a switch each.
  const layOut = font.layoutRun.bind(font) as (text: string, features: object) => object
  font.layoutRun = (text, features) => {
    const key = `${font.name} ${features?.join() ?? ''} ${text}`
    const known = runs.get(key)
    if (known) return known
    if (runs.size >= maxRuns) runs.clear()
    const run = layOut(text, shaping(text, features))
    runs.set(key, run)
    return run
  }
}

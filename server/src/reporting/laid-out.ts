import type PDFDocument from 'pdfkit'

/** The part of pdfkit's embedded font that lays a text out: its glyphs, and where each goes. */
interface LayoutFont {
  name: string
  layoutRun(text: string, features?: readonly string[]): object
}

/** Words and lines that are remembered, some kilobytes each. */
const maxRuns = 2_000
const runs = new Map<string, object>()

/**
 * Has the font that a document writes with remember how it lay a text out. pdfkit does so only for texts without OpenType features, and all
 * of ours have tabular figures: each word was laid out when its table was measured, again when it was written, and twice because a document is.
 * A layout depends on the font, not on the document.
 */
export function rememberLayouts(doc: InstanceType<typeof PDFDocument>): void {
  const font = (doc as unknown as { _font: LayoutFont })._font
  const layOut = font.layoutRun.bind(font)
  font.layoutRun = (text, features) => {
    const key = `${font.name} ${features?.join() ?? ''} ${text}`
    const known = runs.get(key)
    if (known) return known
    if (runs.size >= maxRuns) runs.clear()
    const run = layOut(text, features)
    runs.set(key, run)
    return run
  }
}

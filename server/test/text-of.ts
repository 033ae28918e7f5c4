import { readXlsx } from 'hucre/xlsx'
import { extractText } from 'unpdf'

/** A file or an answer as text, whatever its format. */
export async function textOf(body: Buffer, contentType: string): Promise<string> {
  if (contentType.includes('pdf')) return (await extractText(new Uint8Array(body), { mergePages: true })).text
  if (contentType.includes('spreadsheet')) return JSON.stringify(await readXlsx(new Uint8Array(body)))
  return body.toString('utf8')
}

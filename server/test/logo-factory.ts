import { PNG } from 'pngjs'
import { SentFile } from './form.ts'
import type { TestApp } from './harness.ts'

/** A logo as a company sends it, PNG: a field of one colour on nothing. */
export function logoPng({ width = 300, height = 120, colour = [0, 90, 160] } = {}): Buffer<ArrayBuffer> {
  const png = new PNG({ width, height })
  for (let at = 0; at < png.data.length; at += 4) png.data.set([...colour, 255], at)
  return Buffer.from(PNG.sync.write(png))
}

/** Sets the logo of the company of an Admin; returns its version. */
export async function giveLogo(
  t: Pick<TestApp, 'call'>,
  { token }: { token: string },
  content = logoPng(),
): Promise<string> {
  const { body } = await t.call('PUT', '/auth/company/logo', {
    token,
    body: { file: new SentFile('logo.png', content) },
  })
  return body.payload.logoVersion
}

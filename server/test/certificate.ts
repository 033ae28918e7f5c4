import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** PEM files of loopback, its own authority, which serves and calls. */
export interface Certificate {
  certFile: string
  keyFile: string
  /** The content of the files, as an option of `tls.connect`. */
  tls: { ca: string; cert: string; key: string }
  remove(): void
}

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** A certificate for a day. */
export function makeCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-certificate-'))
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile]
  const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  const { status, stderr } = spawnSync('openssl', ['req', '-x509', ...key, '-out', certFile, '-days', '1', ...named])
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`)
  const [cert, ownKey] = [certFile, keyFile].map((file) => readFileSync(file, 'utf8'))
  return {
    ...{ certFile, keyFile, tls: { ca: cert ?? '', cert: cert ?? '', key: ownKey ?? '' } },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

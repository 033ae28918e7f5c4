import type { Clock } from '../clock/clock.ts'
import type { InsuranceRequest, Insurer } from './insurer.ts'

const dayMs = 86_400_000

/** An insurer for trials, which is no insurer: it certifies whatever it is asked after a delay. */
export const offlineInsurer = (clock: Clock, delayMs: number): Insurer => ({
  async ask(request) {
    const { reference, worth, currency, requestedAt, deliverBy } = request
    if (clock.now().getTime() < requestedAt.getTime() + delayMs) return { state: 'pending' }
    const policyNumber = `TRIAL-${reference.slice(0, 8).toUpperCase()}`
    const validTo = new Date(Math.max(deliverBy.getTime(), requestedAt.getTime()) + 7 * dayMs)
    const period = { validFrom: requestedAt, validTo }
    const pdf = pdfOf(linesOf(request, policyNumber, period))
    return { state: 'certified', certificate: { policyNumber, worth, currency, ...period, pdf } }
  },
  async cancel() {},
})

const linesOf = (
  { plan, worth, currency, from, to }: InsuranceRequest,
  policyNumber: string,
  { validFrom, validTo }: { validFrom: Date; validTo: Date },
) => [
  'TRIAL CERTIFICATE - NOT AN INSURANCE',
  `Policy ${policyNumber}`,
  `Plan ${plan}`,
  `Worth ${worth} minor units of ${currency}`,
  `Valid ${validFrom.toISOString()} to ${validTo.toISOString()}`,
  `From ${from}`,
  ...to.slice(0, 20).map((address) => `To ${address}`),
]

/** A PDF of one page with these lines. */
function pdfOf(lines: readonly string[]): Buffer {
  const shown = lines.map((line) =>
    line
      .replace(/[^\x20-\x7e]/g, '?')
      .replace(/[\\()]/g, '\\$&')
      .slice(0, 90),
  )
  const drawn = `BT /F1 12 Tf 18 TL 56 780 Td ${shown.map((line) => `(${line}) Tj T*`).join(' ')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return String(at).padStart(10, '0')
  })
  const table = offsets.map((at) => `${at} 00000 n \n`).join('')
  return Buffer.from(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}

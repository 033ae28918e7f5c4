const escaped = (line: string) => line.replace(/[\\()]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')

/** A PDF of one page with some lines, as a file that somebody uploads. */
export function paper(name: string, [title = '', ...lines]: readonly string[]): File {
  const text = lines.map((line) => `0 -18 Td (${escaped(line)}) Tj`).join('\n')
  const drawn = `BT /F1 18 Tf 60 770 Td (${escaped(title)}) Tj /F1 11 Tf 0 -12 Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = pdf.length
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  pdf += `xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`
  return new File([pdf], name, { type: 'application/pdf' })
}

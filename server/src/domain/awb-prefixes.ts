/**
 * Airlines by the prefix of their waybills, where two sources agreed in November 2026; there is no public list. It only suggests: an
 * airline may carry with another one's waybill.
 */
const airlines: Record<string, readonly [code: string, name: string]> = {
  ...{ '006': ['DL', 'Delta Air Lines'], '016': ['UA', 'United Airlines'], '020': ['LH', 'Lufthansa Cargo'] },
  ...{ '023': ['FX', 'FedEx'], '057': ['AF', 'Air France'], '071': ['ET', 'Ethiopian Airlines'] },
  ...{ '074': ['KL', 'KLM'], '083': ['SA', 'South African Airways'], '114': ['LY', 'El Al'] },
  ...{ '157': ['QR', 'Qatar Airways'], '160': ['CX', 'Cathay Pacific'], '172': ['CV', 'Cargolux'] },
  ...{ '176': ['EK', 'Emirates'], '180': ['KE', 'Korean Air'], '232': ['MH', 'Malaysia Airlines'] },
  ...{ '235': ['TK', 'Turkish Airlines'], '257': ['OS', 'Austrian Airlines'], '297': ['CI', 'China Airlines'] },
  ...{ '406': ['5X', 'UPS Airlines'], '501': ['7L', 'Silk Way West Airlines'] },
}

/** The airline that a waybill's prefix suggests. */
export function airlineOfWaybill(awb: string): { code: string; name: string } | undefined {
  const airline = airlines[awb.slice(0, 3)]
  return airline && { code: airline[0], name: airline[1] }
}

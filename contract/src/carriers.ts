/** Shipping lines that carry refrigerated containers or reefer pallets, as they call themselves; suggestions, any other name may be typed. */
export const shippingLines: readonly string[] = [
  ...['Arkas Line', 'CMA CGM', 'COSCO Shipping', 'Cool Carriers', 'Evergreen', 'Grimaldi', 'Hapag-Lloyd', 'HMM'],
  ...['Ignazio Messina', 'Maersk', 'Marguisa', 'MSC', 'Ocean Network Express (ONE)', 'OOCL', 'PIL', 'Seatrade'],
  ...['Turkon Line', 'Unifeeder', 'Wan Hai Lines', 'X-Press Feeders', 'Yang Ming', 'ZIM'],
]

interface Airline {
  /** Two signs of IATA. */
  code: string
  name: string
}

/**
 * Airlines by the prefix of their waybills, where two sources agreed in November 2026; there is no public list. It only suggests: an
 * airline may carry with another one's waybill.
 */
const byPrefix: Record<string, readonly [code: string, name: string]> = {
  ...{ '006': ['DL', 'Delta Air Lines'], '016': ['UA', 'United Airlines'], '020': ['LH', 'Lufthansa Cargo'] },
  ...{ '023': ['FX', 'FedEx'], '057': ['AF', 'Air France'], '071': ['ET', 'Ethiopian Airlines'] },
  ...{ '074': ['KL', 'KLM'], '083': ['SA', 'South African Airways'], '114': ['LY', 'El Al'] },
  ...{ '157': ['QR', 'Qatar Airways'], '160': ['CX', 'Cathay Pacific'], '172': ['CV', 'Cargolux'] },
  ...{ '176': ['EK', 'Emirates'], '180': ['KE', 'Korean Air'], '232': ['MH', 'Malaysia Airlines'] },
  ...{ '235': ['TK', 'Turkish Airlines'], '257': ['OS', 'Austrian Airlines'], '297': ['CI', 'China Airlines'] },
  ...{ '406': ['5X', 'UPS Airlines'], '501': ['7L', 'Silk Way West Airlines'], '615': ['QY', 'DHL'] },
}

/** Airlines whose prefix is not known for certain. */
const further = [
  ...['Air Canada', 'Air Mauritius', 'Airlink', 'Astral Aviation', 'British Airways', 'EgyptAir', 'Etihad Cargo'],
  ...[
    'Iberia',
    'Kenya Airways',
    'Martinair',
    'Royal Air Maroc',
    'RwandAir',
    'Saudia Cargo',
    'Singapore Airlines',
    'TAAG',
  ],
]

/** Airlines that carry freight; suggestions, any other name may be typed. */
export const airlines: readonly string[] = [...Object.values(byPrefix).map(([, name]) => name), ...further].sort()

/** The airline that the prefix of a waybill suggests, however it is written; undefined before its three digits are there. */
export function airlineOfWaybill(awb: string): Airline | undefined {
  const digits = awb.replace(/^\s*AWB/i, '').replace(/[^0-9]/g, '')
  const airline = byPrefix[digits.slice(0, 3)]
  return airline && { code: airline[0], name: airline[1] }
}

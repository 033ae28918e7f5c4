// Corrections and additions by hand, November 2026: places of terminals, names that people search for, ports that the package lacks.
// lat and lon are those of the terminal; radiusM is given where a circle around it was looked at, so that arrivals may be seen by it.

/** Sea ports by UN/LOCODE; a field that is left out stays as the package has it. */
export const seaPorts = {
  NGAPP: { name: 'Apapa', aliases: ['Lagos', 'Lagos Apapa'], lat: 6.443, lon: 3.377, radiusM: 1500 },
  NGTIN: { name: 'Tin Can Island', aliases: ['Lagos', 'Tincan'], lat: 6.434, lon: 3.344, radiusM: 1500 },
  NGLKK: { name: 'Lekki', aliases: ['Lagos', 'Lekki Deep Sea Port'], lat: 6.43, lon: 3.99, zone: 'Africa/Lagos' },
  GHTEM: { lat: 5.64, lon: 0.013, radiusM: 2500 },
  KEMBA: { aliases: ['Kilindini'], lat: -4.056, lon: 39.644, radiusM: 2500 },
  ZADUR: { lat: -29.873, lon: 31.029, radiusM: 3000 },
  ZACPT: { aliases: ['Kaapstad'], lat: -33.906, lon: 18.435, radiusM: 2000 },
  ZAZBA: { name: 'Coega', aliases: ['Ngqura', 'Port of Ngqura'], lat: -33.801, lon: 25.687, radiusM: 2500 },
  ZAPLZ: { aliases: ['Gqeberha'], lat: -33.957, lon: 25.633, radiusM: 2000 },
  NLRTM: { aliases: ['Maasvlakte'], lat: 51.95, lon: 4.14, radiusM: 10000 },
  BEANR: { name: 'Antwerp', aliases: ['Antwerpen', 'Anvers'], lat: 51.27, lon: 4.34, radiusM: 8000 },
  ESVLC: { aliases: ['València'], lat: 39.444, lon: -0.317, radiusM: 3000 },
  EGALY: { name: 'Alexandria', aliases: ['El Iskandariya', 'El Dekheila'], lat: 31.18, lon: 29.87, radiusM: 5000 },
  USPHL: { lat: 39.9, lon: -75.135, radiusM: 4000 },
  USILG: {
    name: 'Wilmington, Delaware',
    aliases: ['Wilmington DE'],
    lat: 39.717,
    lon: -75.526,
    zone: 'America/New_York',
  },
  GBFXT: { lat: 51.95, lon: 1.31, radiusM: 2500 },
  // The Netherlands Antilles ended in 2010.
  CWWIL: { name: 'Willemstad', aliases: ['Curaçao'], lat: 12.1091, lon: -68.9316, zone: 'America/Curacao' },
  SXPHI: { name: 'Philipsburg', aliases: ['Sint Maarten'], lat: 18.0237, lon: -63.0458, zone: 'America/Lower_Princes' },
}

/** Codes that the package calls sea ports and that are not: towns inland. */
export const inland = ['KENBO', 'ZAJNB', 'ZAPRY', 'ZABFN']

/** Prefixes of countries that are no more. */
export const deadPrefixes = ['AN']

/** Zones that the package names wrongly. */
export const zones = { ARRIC: 'America/Argentina/Ushuaia' }

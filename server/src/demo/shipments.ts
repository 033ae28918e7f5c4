import { NewPartner } from '@isotherm/contract/partners.ts'
import { shipmentActContext } from '../core/shipments/acts/act-context.ts'
import { cancelShipment } from '../core/shipments/acts/end-shipment.ts'
import { legsOf, lockShipment } from '../core/shipments/shipment-queries.ts'
import { addCalibration, storeCertificate } from '../features/calibrations/verbs.ts'
import { chooseProtocol } from '../features/cold-treatments/verbs.ts'
import { changeSettings } from '../features/export-settings/verbs.ts'
import { addPartner } from '../features/partners/verbs.ts'
import { makeLink } from '../features/shipment-links/link-verbs.ts'
import { rollOver } from '../features/shipments/change-legs.ts'
import { changeShipment } from '../features/shipments/change-shipment.ts'
import type { Context } from '../platform/context.ts'
import { Uploads } from '../platform/files/uploads.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'
import { paper } from './paper.ts'
import { type Passage, passagesAt, tripAt } from './passages.ts'
import {
  add,
  addEnd,
  asOf,
  bring,
  dayOf,
  devicesAt,
  hoursAfter,
  type Papers,
  pass,
  planned,
  start,
} from './shipment-acts.ts'

const citrus = 'Citrus MSKU 907032 3'
const probes = [`${citrus}, probe 1`, `${citrus}, probe 2`, `${citrus}, probe 3`]

const ends = {
  citrusdal: {
    ...{ name: 'Citrusdal pack house', country: 'ZA', region: 'Western Cape', person: 'Sipho Dlamini' },
    ...{ company: 'Cederberg Citrus', lat: -32.589, lon: 19.015, ports: [['sea', 'ZACPT']] },
    gln: '6001234500025',
  },
  durban: {
    ...{ name: 'Maydon Wharf cold store', country: 'ZA', region: 'KwaZulu-Natal', person: 'Thabo Nkosi' },
    ...{ company: 'Umgeni Dairies', lat: -29.8785, lon: 31.026, ports: [['sea', 'ZADUR']] },
  },
  lagos: {
    ...{ name: 'Apapa cold store', country: 'NG', region: 'Lagos', person: 'Adaeze Okafor' },
    ...{ company: 'Demo Cold Chain Ltd', lat: 6.44, lon: 3.383, ports: [['sea', 'NGAPP']] },
  },
  nairobi: {
    ...{ name: 'Nairobi laboratory', country: 'KE', region: 'Nairobi', person: 'Wanjiku Kamau' },
    ...{ company: 'Highland Diagnostics', lat: -1.3007, lon: 36.8068, ports: [['air', 'NBO']] },
  },
  johannesburg: {
    ...{ name: 'Johannesburg reference laboratory', country: 'ZA', region: 'Gauteng', person: 'Lerato Adams' },
    ...{ company: 'Reef Pathology', lat: -26.129, lon: 28.118, ports: [['air', 'JNB']] },
  },
  rotterdam: {
    ...{ name: 'Barendrecht cold store', country: 'NL', region: 'South Holland', person: 'Joris de Vries' },
    ...{ company: 'Maas Fruit Import', lat: 51.857, lon: 4.534, ports: [['sea', 'NLRTM']] },
    gln: '8712345000028',
  },
} satisfies Record<string, Parameters<typeof addEnd>[2]>
type Place = keyof typeof ends

interface Scene {
  ctx: Context
  now: Date
  /** Brought once the shipments are there. */
  papers: Papers[]
  partnerId: string
  /** An origin or a destination by id; a place is either once it is first needed. */
  origin(place: Place, at: Date): Promise<string>
  destination(place: Place, at: Date): Promise<string>
}

const agent = NewPartner.parse({
  ...{ companyName: 'Table Bay Clearing', companyAddress: '12 Duncan Street, Cape Town', fullName: 'Naledi Jacobs' },
  ...{ email: 'naledi@tablebay.test', phone: '+27 21 555 0142', stateProvince: 'Western Cape', country: 'ZA' },
})

/**
 * Gives a company without shipments those of the demo: one that is planned, one at the terminal whose cold treatment runs, the passage that
 * the fleet's container is on and the one before it, which is over with its excursions and papers, the flight of the parcel, and one that was
 * cancelled. Places and times are those that the virtual fleet has.
 */
export async function ensureShipments(services: Services, companyId: number): Promise<void> {
  const certificates = new Uploads(services.config)
  const papers = await certificates.during(async () => {
    for (const { file } of calibrations) await storeCertificate(file, certificates, services)
    return asAdmin(services, companyId, addAll)
  })
  for (const one of papers) await bring(services, companyId, one)
}

/** Resolves to the papers of the shipments that it added. */
async function addAll(ctx: Context): Promise<Papers[]> {
  const known = await ctx.tx
    .selectFrom('shipments')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .limit(1)
    .execute()
  if (known.length > 0) return []
  const scene = await prepare(ctx)
  const { before, current } = passagesAt(scene.now)
  await sail(scene, before)
  await sail(scene, current)
  await treat(scene)
  await cancel(scene)
  await fly(scene)
  await plan(scene)
  return scene.papers
}

async function prepare(ctx: Context): Promise<Scene> {
  const now = ctx.clock.now()
  const early = asOf(ctx, hoursAfter(now, -24 * 31))
  await changeSettings(early, {
    ...{ gs1Prefix: '6001234', gln: '6001234500001', allowsUnverified: true, captureUrl: null, captureHeader: null },
    portGlns: [{ type: 'sea', code: 'NLRTM', name: '', gln: '8712345000011', glnUnchecked: false }],
    regimes: [
      { code: 'CT02', setPointC: 0, loadOutMaxC: 2, note: 'Oranges under treatment for the EU' },
      { code: 'GR01', setPointC: -0.5, loadOutMaxC: 1, note: 'Grapes' },
    ],
    // The parcel's tracker has a rhythm of its own: it is silent in the air by itself.
    ...{ flightMode: false, version: 0 },
  })
  const { id: partnerId } = await addPartner(early, agent)
  const made = new Map<string, Promise<string>>()
  const end = (kind: 'origin' | 'destination') => (place: Place, at: Date) => {
    const key = `${kind} ${place}`
    // A laboratory has none: the parcel is under way until somebody says that it was opened.
    const isPort = place === 'lagos' || place === 'durban'
    const fence = kind === 'destination' && isPort ? { radiusM: 3_000 } : {}
    const id = made.get(key) ?? addEnd(asOf(ctx, at), kind, { ...ends[place], ...fence })
    made.set(key, id)
    return id
  }
  await calibrate(ctx, now)
  return { ctx, now, papers: [], partnerId, origin: end('origin'), destination: end('destination') }
}

const calibrations = [0.06, -0.04, 0.1].map((readingC, index) => {
  const certificateNo = `CAL-26-${410 + index}`
  const lines = ['Certificate of calibration', certificateNo, `At 0 C it reads ${readingC} C.`]
  return { readingC, certificateNo, file: paper(`${certificateNo}.pdf`, lines) }
})

/** The probes in fruit were calibrated before the season; the certificate of the last one is due soon. */
async function calibrate(ctx: Context, now: Date) {
  const found = await devicesAt(ctx, [...probes.map((name) => [name, 'air'] as [string, 'air'])])
  for (const [index, { id: deviceId }] of found.entries()) {
    const calibratedOn = hoursAfter(now, -24 * (index === 2 ? 345 : 120 + index))
    const calibration = calibrations[index]
    if (!calibration) return
    const { readingC, certificateNo, file } = calibration
    await addCalibration(asOf(ctx, hoursAfter(now, -24 * 30)), {
      certificate: {
        ...{ deviceId, certificateNo, laboratory: 'Cape Metrology', calibratedOn: dayOf(calibratedOn) },
        dueOn: dayOf(hoursAfter(calibratedOn, 24 * 365)),
        points: [
          { referenceC: 0, readingC, uncertaintyC: 0.05 },
          { referenceC: 10, readingC: 10 + readingC, uncertaintyC: 0.05 },
        ],
      },
      file,
    })
  }
}

const reefer = 'Reefer ISOU 482913 3'
const northbound = ['ZADUR', 'ZACPT', 'GHTEM', 'NGAPP']

/** A passage of the container, with what of it has happened by now: from its first port on it is under way, at its last one it is over. */
async function sail({ ctx, papers, now, partnerId, origin, destination }: Scene, passage: Passage) {
  const { isNorthbound, begins, sailings } = passage
  const ports = isNorthbound ? northbound : ['NGAPP', 'ZADUR']
  const ordered = hoursAfter(begins, -72)
  const arrives = sailings.at(-1)?.arrives ?? begins
  const isOver = arrives <= now
  const goods = isNorthbound
    ? { product: 'Cheese', variety: 'Gouda', hsCode: '040690', reference: `UD ${dayOf(begins)}` }
    : { product: 'Hibiscus juice, chilled', variety: null, hsCode: '200989', reference: `LG ${dayOf(begins)}` }
  const id = await add(asOf(ctx, ordered), {
    ...{ logistics: 'external', ...goods, incoterm: 'CIF', incotermPlace: isNorthbound ? 'Apapa' : 'Durban' },
    ...{ pallets: 20, grossWeightG: 21_400_000, setPointC: 4.5, minC: 2, maxC: 8, partnerId },
    ...{ originId: await origin(isNorthbound ? 'durban' : 'lagos', ordered), lot: `L-${dayOf(begins).slice(2)}` },
    destinationId: await destination(isNorthbound ? 'lagos' : 'durban', ordered),
    ...{ loadingOn: dayOf(begins), departureOn: dayOf(sailings[0]?.departs ?? begins) },
    legs: sailings.map(({ departs, arrives: there }, index) => ({
      ...{ mode: 'sea', fromPort: ports[index], toPort: ports[index + 1], vesselName: 'Agulhas Star', imo: '9074729' },
      carrierName: 'Agulhas Line',
      ...{ voyage: isNorthbound ? '614N' : '614S', containerNo: 'ISOU4829133', sealNo: 'ZA 470113' },
      ...{ bookingNumber: 'AGS 2231', etd: planned(departs), eta: planned(there) },
    })),
    devices: await devicesAt(ctx, [[reefer, 'air']]),
  })
  await start(ctx, id, begins)
  await pass(ctx, id, [
    ['stuffed', 1, hoursAfter(begins, 2)],
    ['gateIn', 1, hoursAfter(begins, 5)],
    ...sailings.flatMap(({ departs, arrives: there }, index) => [
      ['loaded', index + 1, hoursAfter(departs, -3)] as ['loaded', number, Date],
      ['departed', index + 1, departs] as ['departed', number, Date],
      ['arrived', index + 1, there] as ['arrived', number, Date],
    ]),
    ['delivered', sailings.length, arrives],
  ])
  const facts = [`Container ISOU 482913 3, 20 pallets`, `${ports[0]} to ${ports.at(-1)}, Agulhas Star`]
  const sailed = sailings[0]?.departs ?? begins
  const documents: Papers['documents'] = [
    ['invoice', 'Commercial invoice', facts],
    ['packingList', 'Packing list', facts],
    ...(sailed <= now
      ? ([
          ['billOfLading', 'Bill of lading, draft', facts],
          ['billOfLading', 'Bill of lading', facts],
        ] as ['billOfLading', string, string[]][])
      : []),
  ]
  papers.push({ at: isOver ? arrives : begins, shipmentId: id, documents })
  if (!isOver) await makeLink(ctx, id, { label: 'Consignee', locale: null, showsDocuments: true, days: 90 })
}

/** Oranges for the EU: loaded nine days ago, at the terminal since; the vessel that they missed left, the next one is due. */
async function treat({ ctx, papers, now, partnerId, origin, destination }: Scene) {
  const loaded = hoursAfter(now, -24 * 9.5)
  const ordered = hoursAfter(loaded, -24 * 3)
  const missed = hoursAfter(now, -24 * 7)
  const sails = hoursAfter(now, 24 * 2)
  const id = await add(asOf(ctx, ordered), {
    ...{ logistics: 'external', product: 'Oranges', variety: 'Valencia', hsCode: '080510', reference: 'MF 4711' },
    ...{ incoterm: 'FOB', incotermPlace: 'Cape Town', pallets: 20, grossWeightG: 23_800_000 },
    ...{ lot: 'VAL-26-118', gtin: '6001234500018' },
    ...{ setPointC: 0, minC: -1, maxC: 2, regimeCode: 'CT02', partnerId, personOfContact: 'Naledi Jacobs' },
    originId: await origin('citrusdal', ordered),
    destinationId: await destination('rotterdam', ordered),
    ...{ loadingOn: dayOf(loaded), departureOn: dayOf(missed) },
    legs: [
      {
        ...{ mode: 'rail', toPort: 'ZACPT', carrierName: 'West Coast Rail', containerNo: 'MSKU9070323' },
        ...{ etd: planned(hoursAfter(loaded, 2)), eta: planned(hoursAfter(loaded, 6)), sealNo: 'ZA 471820' },
      },
      {
        ...{ mode: 'sea', fromPort: 'ZACPT', toPort: 'NLRTM', vesselName: 'Cape Breeze', voyage: '208N' },
        carrierName: 'Cape Breeze Lines',
        ...{ etd: planned(missed), eta: planned(hoursAfter(missed, 24 * 16)), containerNo: 'MSKU9070323' },
      },
    ],
    devices: await devicesAt(ctx, [
      [`${citrus}, return air`, 'return'],
      ...probes.map((name, index) => [name, `pulp${index + 1}`] as [string, 'pulp1']),
    ]),
  })
  const left = hoursAfter(loaded, 2)
  await pass(ctx, id, [
    ['stuffed', 1, loaded],
    ['departed', 1, left],
    ['arrived', 1, hoursAfter(left, 4)],
    ['gateIn', 2, hoursAfter(left, 5)],
    ['inspected', 2, hoursAfter(left, 26)],
  ])
  const [, sea] = await legsOf(ctx, [id])
  if (sea)
    await rollOver(shipmentActContext(asOf(ctx, hoursAfter(missed, 5))), id, {
      legId: sea.id,
      leg: {
        ...{
          mode: 'sea',
          carrierName: 'Table Bay Container Line',
          vesselName: 'Table Bay Spirit',
          imo: '9811000',
          voyage: '211N',
          bookingNumber: 'TBS 8812',
        },
        ...{ etd: planned(sails), eta: planned(hoursAfter(sails, 24 * 16)) },
      },
    })
  const documents: Papers['documents'] = [
    ['phytosanitary', 'Phytosanitary certificate', ['Oranges, Valencia', 'Citrusdal to Rotterdam']],
    ['ppecbQ67', 'PPECB Q67', ['Container MSKU 907032 3', 'Loaded at 0.1 C']],
  ]
  papers.push({ at: hoursAfter(left, 27), shipmentId: id, documents })
  const shipment = await lockShipment(ctx, id)
  await changeShipment(asOf(ctx, hoursAfter(left, 28)), id, {
    version: shipment.version,
    ppecb: {
      ...{ exporterUcn: 'UCN 114', puc: 'C1042', phc: 'P2201', class: '1', netWeightKg: 22_400, cartons: 1_480 },
      ...{ packaging: 'A15C', storageRegime: 'CT02', loadingTemperatureC: 0.1, loadedAt: loaded.toISOString() },
      ...{ setPointC: 0, ventilation: 'closed', exporterBooking: 'TBS 8812', lineReference: 'TB 26 211' },
      probeReadings: [0.1, 0.2, 0.1].map((celsius, index) => ({ place: `pulp${index + 1}`, celsius })),
      ...{ dischargePorts: 'Rotterdam', isUncooled: false, previousRejections: null, reinspection: null },
    },
  })
  await chooseProtocol(ctx, id, { protocolId: 'eu-fcm-b' })
  await makeLink(ctx, id, { label: 'Maas Fruit Import', locale: 'en', showsDocuments: true, days: 120 })
}

/** The parcel of samples, whose tracker Admins alone see. */
async function fly({ ctx, now, origin, destination }: Scene) {
  const { isOutbound, begins, flight } = tripAt(now)
  const ordered = hoursAfter(begins, -30)
  const [from, to] = isOutbound ? (['nairobi', 'johannesburg'] as const) : (['johannesburg', 'nairobi'] as const)
  const [fromPort, toPort] = isOutbound ? ['NBO', 'JNB'] : ['JNB', 'NBO']
  const id = await add(asOf(ctx, ordered), {
    ...{ logistics: 'internal', product: isOutbound ? 'Serum samples' : 'Reference serum', hsCode: '300212' },
    ...{ pallets: 1, grossWeightG: 14_500, minC: 2, maxC: 8, reference: `HD ${dayOf(begins)}` },
    originId: await origin(from, ordered),
    destinationId: await destination(to, ordered),
    ...{ loadingOn: dayOf(begins), departureOn: dayOf(flight.departs) },
    legs: [
      {
        carrierName: 'Kenya Airways',
        ...{ mode: 'air', fromPort, toPort, flightNumber: isOutbound ? 'KQ 760' : 'KQ 761', awb: '706-12345675' },
        ...{ etd: planned(flight.departs), eta: planned(flight.arrives) },
      },
    ],
    devices: await devicesAt(ctx, [['Sample box NBO-JNB', 'air']]),
  })
  await start(ctx, id, begins)
  await pass(ctx, id, [
    ['airReceivedOnHand', 1, hoursAfter(flight.departs, -8)],
    ['airAccepted', 1, hoursAfter(flight.departs, -6)],
    ['departed', 1, flight.departs],
    ['arrived', 1, flight.arrives],
    ['airNotified', 1, hoursAfter(flight.arrives, 3)],
  ])
}

/** Grapes and plums that are loaded next week. */
async function plan({ ctx, now, partnerId, origin, destination }: Scene) {
  const sails = hoursAfter(now, 24 * 6)
  await add(asOf(ctx, hoursAfter(now, -20)), {
    ...{ logistics: 'external', product: 'Table grapes', variety: 'Thompson Seedless', hsCode: '080610', partnerId },
    ...{ reference: 'MF 4720', incoterm: 'FOB', incotermPlace: 'Cape Town', pallets: 20, grossWeightG: 19_200_000 },
    ...{ setPointC: -0.5, minC: -1, maxC: 1, regimeCode: 'GR01', departureOn: dayOf(sails) },
    ...{ quantity: 3_200, quantityUnit: 'carton', gtin: '6001234500032' },
    furtherProducts: [
      {
        ...{ product: 'Plums', variety: 'Laetitia', hsCode: '080940', gtin: '6007004500011' },
        ...{ quantity: 640, quantityUnit: 'carton', minC: -0.5, maxC: 0.5 },
      },
    ],
    originId: await origin('citrusdal', now),
    destinationId: await destination('rotterdam', now),
    loadingOn: dayOf(hoursAfter(sails, -36)),
    legs: [
      {
        ...{ mode: 'sea', fromPort: 'ZACPT', toPort: 'NLRTM', vesselName: 'Cape Breeze', voyage: '212N' },
        carrierName: 'Cape Breeze Lines',
        ...{ containerNo: 'CSQU3054383', etd: planned(sails), eta: planned(hoursAfter(sails, 24 * 16)) },
      },
    ],
  })
}

async function cancel({ ctx, now, partnerId, origin, destination }: Scene) {
  const ordered = asOf(ctx, hoursAfter(now, -24 * 12))
  const sails = hoursAfter(now, -24 * 5)
  const id = await add(ordered, {
    ...{
      logistics: 'external',
      product: 'Lemons',
      variety: 'Eureka',
      hsCode: '080550',
      reference: 'MF 4698',
      partnerId,
    },
    ...{ pallets: 20, setPointC: 7, minC: 6, maxC: 9, departureOn: dayOf(sails) },
    originId: await origin('citrusdal', ordered.clock.now()),
    destinationId: await destination('rotterdam', ordered.clock.now()),
    legs: [{ mode: 'sea', fromPort: 'ZACPT', toPort: 'NLRTM', vesselName: 'Cape Breeze', voyage: '208N' }],
  })
  const reason = 'The buyer took the fruit of another grower.'
  await cancelShipment(shipmentActContext(asOf(ctx, hoursAfter(now, -24 * 8))), await lockShipment(ctx, id), { reason })
}

import type { Route } from './geometry.ts'

/** The N1 from the Foreshore past Century City, Bellville and Kraaifontein to the Berg River valley. */
// biome-ignore format: a list of places reads best as one
export const capeTownPaarl: Route = {
  name: 'Cape Town - Paarl',
  road: 'N1',
  from: { name: 'Cape Town', at: [-33.9185, 18.4290] },
  to: { name: 'Paarl', at: [-33.7300, 18.9610] },
  roadKm: 60,
  legs: [
    { kind: 'city', via: [[-33.9185, 18.4290], [-33.9172, 18.4400], [-33.9200, 18.4530], [-33.9190, 18.4670], [-33.9110, 18.4800]] },
    { kind: 'highway', via: [
      [-33.9030, 18.4920], [-33.8975, 18.5080], [-33.8955, 18.5260], [-33.8945, 18.5440], [-33.8945, 18.5630], [-33.8930, 18.5820], [-33.8870, 18.6000],
      [-33.8800, 18.6170], [-33.8745, 18.6350], [-33.8715, 18.6540], [-33.8690, 18.6730], [-33.8650, 18.6920], [-33.8600, 18.7100], [-33.8550, 18.7280],
      [-33.8490, 18.7470], [-33.8420, 18.7650], [-33.8340, 18.7830], [-33.8260, 18.8010], [-33.8170, 18.8190], [-33.8080, 18.8370], [-33.8000, 18.8560],
      [-33.7930, 18.8750], [-33.7860, 18.8940], [-33.7790, 18.9120], [-33.7720, 18.9300],
    ] },
    { kind: 'city', via: [[-33.7640, 18.9450], [-33.7560, 18.9570], [-33.7480, 18.9630], [-33.7390, 18.9630], [-33.7300, 18.9610]] },
  ],
  halts: [
    { name: 'Century City pharmacy', at: [-33.8975, 18.5080], kind: 'delivery' },
    { name: 'Tyger Valley clinic', at: [-33.8745, 18.6350], kind: 'delivery' },
    { name: 'Kraaifontein day hospital', at: [-33.8550, 18.7280], kind: 'delivery' },
    { name: 'Klapmuts', at: [-33.8000, 18.8560], kind: 'delivery' },
  ],
}

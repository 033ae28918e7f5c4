import type { Route } from './geometry.ts'

/** The A1 north-west through Turkana. */
// biome-ignore format: a list of places reads best as one
export const lodwarKakuma: Route = {
  name: 'Lodwar - Kakuma',
  road: 'A1',
  from: { name: 'Lodwar', at: [3.1199, 35.5964] },
  to: { name: 'Kakuma', at: [3.7136, 34.8572] },
  roadKm: 120,
  legs: [
    { kind: 'town', via: [[3.1199, 35.5964], [3.1280, 35.5860], [3.1390, 35.5740]] },
    { kind: 'road', via: [
      [3.1620, 35.5480], [3.1860, 35.5190], [3.2090, 35.4890], [3.2330, 35.4600], [3.2560, 35.4300], [3.2800, 35.4000], [3.3040, 35.3690], [3.3290, 35.3390],
      [3.3530, 35.3080], [3.3770, 35.2760], [3.4010, 35.2440], [3.4260, 35.2120], [3.4500, 35.1800], [3.4750, 35.1480], [3.4990, 35.1160], [3.5230, 35.0830],
      [3.5470, 35.0500], [3.5710, 35.0180], [3.5950, 34.9850], [3.6200, 34.9540], [3.6460, 34.9240], [3.6720, 34.8960],
    ] },
    { kind: 'town', via: [[3.6960, 34.8720], [3.7060, 34.8630], [3.7136, 34.8572]] },
  ],
  halts: [
    { name: 'Lokore outreach post', at: [3.3770, 35.2760], kind: 'delivery' },
    { name: 'Pelekech outreach post', at: [3.5470, 35.0500], kind: 'delivery' },
  ],
}

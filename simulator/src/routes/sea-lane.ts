import type { LatLon } from './geometry.ts'

/** One sailing: the usual lane between two berths, kept well off the coast (pilot waters at the ends). */
export type Lane = { from: string; to: string; knots: number; via: readonly LatLon[] }

const durbanRoads: LatLon = [-29.868, 31.062]
const durbanBerth: LatLon = [-29.8785, 31.026]
const capeTownBerth: LatLon = [-33.9065, 18.433]
const temaBerth: LatLon = [5.633, 0.008]
const apapaBerth: LatLon = [6.44, 3.383]

// biome-ignore format: a list of places reads best as one
export const durbanCapeTown: Lane = {
  from: 'Durban', to: 'Cape Town', knots: 15,
  via: [
    durbanBerth, [-29.8730, 31.0440], durbanRoads, [-30.05, 31.12], [-30.60, 30.90], [-31.40, 30.20], [-32.30, 29.30], [-33.10, 28.40], [-33.75, 27.30],
    [-34.20, 26.20], [-34.50, 25.00], [-34.70, 23.50], [-34.95, 22.00], [-35.20, 20.80], [-35.20, 19.80], [-34.95, 18.90], [-34.60, 18.20],
    [-34.25, 18.10], [-33.95, 18.25], [-33.875, 18.36], [-33.888, 18.418], [-33.9000, 18.4330], capeTownBerth,
  ],
}

// biome-ignore format: a list of places reads best as one
export const capeTownTema: Lane = {
  from: 'Cape Town', to: 'Tema', knots: 16.5,
  via: [
    capeTownBerth, [-33.9000, 18.4330], [-33.888, 18.418], [-33.85, 18.30], [-33.40, 17.40], [-32.30, 16.30], [-30.50, 14.80], [-28.20, 13.20], [-25.50, 11.60],
    [-22.50, 10.20], [-19.00, 8.80], [-15.00, 7.20], [-11.00, 5.60], [-7.00, 4.20], [-3.00, 2.80], [0.50, 1.60], [3.00, 0.80], [4.60, 0.30],
    [5.30, 0.10], [5.56, 0.045], [5.615, 0.022], temaBerth,
  ],
}

// biome-ignore format: a list of places reads best as one
export const temaApapa: Lane = {
  from: 'Tema', to: 'Apapa', knots: 13,
  via: [
    temaBerth, [5.615, 0.022], [5.55, 0.07], [5.40, 0.50], [5.60, 1.20], [5.85, 1.90], [6.02, 2.60], [6.15, 3.10], [6.28, 3.32], [6.370, 3.390],
    [6.400, 3.3985], [6.4200, 3.3980], [6.4330, 3.3905], apapaBerth,
  ],
}

/** The way home, south about without a call at the Cape. */
// biome-ignore format: a list of places reads best as one
export const apapaDurban: Lane = {
  from: 'Apapa', to: 'Durban', knots: 17,
  via: [
    apapaBerth, [6.4330, 3.3905], [6.4200, 3.3980], [6.400, 3.3985], [6.370, 3.390], [6.20, 3.40], [5.00, 3.60], [2.00, 4.00], [-2.00, 4.80], [-7.00, 6.00],
    [-12.00, 7.40], [-17.00, 9.00], [-22.00, 10.80], [-26.00, 12.60], [-29.50, 14.70], [-32.00, 16.40], [-33.80, 17.40], [-34.80, 18.10], [-35.25, 19.30],
    [-35.40, 20.80], [-35.10, 22.40], [-34.85, 24.00], [-34.60, 25.50], [-34.20, 26.80], [-33.60, 28.05], [-32.60, 29.30], [-31.50, 30.35],
    [-30.50, 31.15], [-29.95, 31.25], durbanRoads, [-29.8730, 31.0440], durbanBerth,
  ],
}

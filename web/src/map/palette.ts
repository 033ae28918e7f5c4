import type { MarkerState } from './marker-data.ts'

export type MapTheme = 'light' | 'dark'

/** WebGL cannot read CSS variables: the states' colours repeat those of ui/base.css, strong enough to fill a marker. */
export type Palette = {
  water: string
  waterLine: string
  land: string
  coast: string
  border: string
  country: string
  city: string
  cityDot: string
  sea: string
  halo: string
  relief: { shadow: string; highlight: string }
  street: { major: string; minor: string; edge: string; rail: string; building: string; green: string; name: string }
  surface: string
  ink: string
  path: string
  states: Record<MarkerState, string>
}

export const palettes: Record<MapTheme, Palette> = {
  light: {
    water: '#d3dee5',
    waterLine: '#c3d1da',
    land: '#f7f6f2',
    coast: '#b6c5ce',
    border: '#c6c0b4',
    country: '#7a7f87',
    city: '#4a525c',
    cityDot: '#9299a3',
    sea: '#8aa1b0',
    halo: '#f7f6f2',
    relief: { shadow: '#8b98a3', highlight: '#ffffff' },
    street: {
      major: '#ffffff',
      minor: '#ffffff',
      edge: '#d5cfc2',
      rail: '#c9c4ba',
      building: '#eae6dc',
      green: '#e3ebdc',
      name: '#5b636d',
    },
    surface: '#ffffff',
    ink: '#1d232b',
    path: '#2f4a6d',
    states: { ok: '#0b7a70', warning: '#d07c00', warm: '#c8272d', cold: '#1d5fc4', none: '#6b7580' },
  },
  dark: {
    water: '#10161d',
    waterLine: '#19232d',
    land: '#202933',
    coast: '#33414e',
    border: '#42505e',
    country: '#8795a4',
    city: '#b4bfca',
    cityDot: '#64727f',
    sea: '#4b6072',
    halo: '#1a222b',
    relief: { shadow: '#0a0f14', highlight: '#3b4856' },
    street: {
      major: '#465463',
      minor: '#364350',
      edge: '#151c23',
      rail: '#3a4652',
      building: '#293440',
      green: '#1f302d',
      name: '#a3adb8',
    },
    surface: '#1a2027',
    ink: '#e6e9ee',
    path: '#9db9dc',
    states: { ok: '#2fb5a5', warning: '#f0a92e', warm: '#f2585c', cold: '#5b9cff', none: '#8793a0' },
  },
}

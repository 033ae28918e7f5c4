import { accraKumasi } from './accra-kumasi.ts'
import { capeTownPaarl } from './cape-town-paarl.ts'
import type { Route } from './geometry.ts'
import { johannesburgDurban } from './johannesburg-durban.ts'
import { lagosIbadan } from './lagos-ibadan.ts'
import { lodwarKakuma } from './lodwar-kakuma.ts'
import { nairobiMombasa } from './nairobi-mombasa.ts'
import { tamaleBolgatanga } from './tamale-bolgatanga.ts'

/** Every road the fleet drives. */
export const roads = {
  lagosIbadan,
  nairobiMombasa,
  accraKumasi,
  johannesburgDurban,
  capeTownPaarl,
  lodwarKakuma,
  tamaleBolgatanga,
} as const satisfies Record<string, Route>

export type RoadId = keyof typeof roads

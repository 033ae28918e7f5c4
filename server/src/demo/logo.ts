import { updateCompany } from '../core/company/company-queries.ts'
import { inTenant } from '../platform/db/transaction.ts'
import { keepBytes } from '../platform/files/uploads.ts'
import { encodePng } from '../platform/mail/png.ts'
import type { Services } from '../platform/services.ts'

const side = 160
const teal = [0x0b, 0x6e, 0x66] as const
const white = [0xff, 0xff, 0xff] as const

/** A snow crystal on a disc: three lines through the middle, each with a hook at both ends. */
function isCrystal(x: number, y: number): boolean {
  return [0, 1, 2].some((arm) => {
    const angle = Math.PI / 2 + (arm * Math.PI) / 3
    const along = Math.abs(x * Math.cos(angle) + y * Math.sin(angle))
    const across = Math.abs(y * Math.cos(angle) - x * Math.sin(angle))
    const isHook = along > 34 && along < 54 && Math.abs(across - (along - 34)) < 4
    return (along < 58 && across < 4) || isHook
  })
}

function drawLogo(): Buffer {
  const pixels = new Uint8Array(side * side * 4)
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const [x, y] = [column + 0.5 - side / 2, row + 0.5 - side / 2]
      const colour = Math.hypot(x, y) > side / 2 || isCrystal(x, y) ? white : teal
      pixels.set([...colour, 255], (row * side + column) * 4)
    }
  return encodePng(side, side, pixels)
}

/** Gives a company of the demo its logo. */
export async function ensureLogo({ pool, config }: Services, companyId: number): Promise<void> {
  const { key, sizeBytes, sha256 } = await keepBytes(config, 'logos', 'png', drawLogo())
  const logo = { logo_key: key, logo_sha256: sha256, logo_bytes: sizeBytes }
  await inTenant(pool, companyId, ({ tx }) => updateCompany(tx, companyId, logo))
}

import type { Sandbox } from '@isotherm/contract/sandbox.ts'
import type { SandboxRow } from './queries.ts'

export const presentSandbox = ({ row, name }: { row: SandboxRow; name: string }): Sandbox => ({
  name,
  madeAt: row.made_at.toISOString(),
  madeBy: row.made_by_name,
})

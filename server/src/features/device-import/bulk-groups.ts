import type { Device } from '@isotherm/contract/devices.ts'
import { groupsByName, groupsOfDevices, type NamedGroup } from '../../core/groups/join-groups.ts'
import type { Context } from '../../platform/context.ts'
import { lowerCase } from '../../platform/db/lower-case.ts'
import type { BulkLine, RowProblem } from './bulk-line.ts'

/** The names in a cell: `Vans | Cold room`. */
const namesIn = ({ cells }: BulkLine): string[] => [
  ...new Set((cells.groups ?? '').split(/[|;]/).flatMap((name) => name.trim() || [])),
]

export interface GroupsOfFile {
  /** The fault of a row's groups; nothing where they exist and may be filled. */
  problemsOf(line: BulkLine): RowProblem[]
  /** The groups a row names that its device is not in yet: a file adds, and takes nothing out. */
  newGroupsOf(line: BulkLine, device?: Pick<Device, 'id'>): NamedGroup[]
}

/** Finds the groups that a file's rows name, among those the person may see. */
export async function groupsOfFile(
  ctx: Context,
  lines: readonly BulkLine[],
  known: readonly Pick<Device, 'id'>[],
): Promise<GroupsOfFile> {
  const [found, joined] = [
    await groupsByName(ctx, [...new Set(lines.flatMap(namesIn))]),
    await groupsOfDevices(
      ctx,
      known.map(({ id }) => Number(id)),
    ),
  ]
  const problem = (name: string, values: Record<string, string> = {}): RowProblem => ({
    column: 'groups',
    message: { key: `fields.rule.csv.${name}`, values },
  })
  return {
    problemsOf(line) {
      const names = namesIn(line)
      if (names.length > 0 && !ctx.can('groups.addOrEdit')) return [problem('groupsForbidden')]
      return names.filter((name) => !found.has(lowerCase(name))).map((name) => problem('unknownGroup', { name }))
    },
    newGroupsOf(line, device) {
      const own = device && joined.get(Number(device.id))
      return namesIn(line).flatMap((name) => {
        const group = found.get(lowerCase(name))
        return group && !own?.has(group.id) ? [group] : []
      })
    },
  }
}

import { deviceFilters, devices } from '@isotherm/contract/devices.ts'
import { useMemo } from 'react'
import { useCall } from '../../lib/query.ts'
import { useUrlSearch } from '../../lib/url-search.ts'
import { useGroupChoices } from '../../shared/group-choices.ts'
import { useListParams } from '../../ui/list/use-list-params.ts'
import { chipsOf, devicesOf, type FleetDevice, found, tagsOf } from './fleet.ts'

/** Late and offline come without a push. */
const refetchMs = 60_000
const none: FleetDevice[] = []

/** The devices of the map, those the search and the filters leave, and the chosen one; all kept in the URL. */
export function useFleetMap() {
  const groups = useGroupChoices()
  const group = useChosenGroup(groups)
  const answer = useCall(devices.fleet, { query: { group } }, { refetchMs, keepPrevious: true })
  const all = useMemo(() => (answer.data ? devicesOf(answer.data) : none), [answer.data])
  const tags = useMemo(() => (answer.data ? tagsOf(all) : undefined), [answer.data, all])
  const filters = useMemo(
    () => ({
      status: deviceFilters,
      tag: tags ?? [],
      group: groups.map(({ value }) => value),
      device: all.map(({ id }) => id),
    }),
    [tags, groups, all],
  )
  const params = useListParams({ filters })
  const { search } = params
  const { tag, device, status } = params.asked
  const summary = useMemo(
    () => (answer.data ? chipsOf(all, { search, tag }) : undefined),
    [answer.data, all, search, tag],
  )
  const shown = useMemo(() => found(all, { search, status, tag }), [all, search, status, tag])
  const selected = useMemo(() => all.find(({ id }) => id === device) ?? null, [all, device])
  const change = params.change
  const select = useMemo(() => (id: string | null) => change({ filters: { device: id ?? undefined } }), [change])
  return { answer, all, shown, summary, tags, groups, params, selected, select }
}

/** The group in the URL: asked for before its devices are known. */
function useChosenGroup(groups: readonly { value: string }[]): string | undefined {
  const asked = useUrlSearch().search.group
  return groups.find(({ value }) => value === String(asked))?.value
}

import { Button, Checkbox, Group, Modal, MultiSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../lib/call-error.ts'
import { useTypedSearch } from '../../../ui/use-typed-search.ts'

export interface DeviceChoice {
  id: string
  label: string
}

interface AddMembersProps {
  title: string
  label: string
  placeholder: string
  nothingFound: string
  /** The search results for a text, `isStale` while they are of the text before; those in the group already are left out by the caller. */
  useFound: (search: string, groupId: string) => { found: DeviceChoice[]; total: number; isStale: boolean }
  groupId: string
  /** A question beside the choice, such as about limits. */
  option?: string
  add: (ids: string[], withOption: boolean) => Promise<void>
  /** Adds all that a text finds, which may be more than are listed. */
  addAll?: (search: string, withOption: boolean) => Promise<void>
  onClose: () => void
}

/** Finds several at once and adds them. What was chosen stays chosen while another text is searched for. */
export function AddMembersDialog(props: AddMembersProps) {
  const { title, label, placeholder, nothingFound, useFound, groupId, option, add, addAll, onClose } = props
  const { t } = useTranslation('groups')
  const { search, typed, setTyped, field } = useTypedSearch()
  const [chosen, setChosen] = useState<DeviceChoice[]>([])
  const [withOption, setWithOption] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { found, total, isStale } = useFound(search, groupId)
  const known = new Map([...chosen, ...found].map((each) => [each.id, each]))
  const go = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    try {
      await work()
      onClose()
    } catch (error) {
      setFailure(isCallError(error) ? error.message : t('common:errors.unexpected'))
    } finally {
      setBusy(false)
    }
  }
  const save = () => {
    const ids = chosen.map(({ id }) => id)
    if (ids.length > 0 && !busy) void go(() => add(ids, withOption))
  }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('common:actions.cancel') }}>
      <Stack onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && save()}>
        {/* Above the field, whose list would cover it. */}
        {addAll && total > 1 && chosen.length === 0 && (
          <Button
            variant="default"
            disabled={busy || isStale || typed.trim() !== search}
            onClick={() => void go(() => addAll(search, withOption))}
          >
            {t('devices.addAll', { count: total })}
          </Button>
        )}
        <MultiSelect
          data-autofocus
          label={label}
          placeholder={placeholder}
          nothingFoundMessage={nothingFound}
          hidePickedOptions
          {...field}
          data={[...known.values()].map((each) => ({ value: each.id, label: each.label }))}
          value={chosen.map(({ id }) => id)}
          onChange={(ids) => {
            setChosen(ids.flatMap((id) => known.get(id) ?? []))
            setTyped('')
          }}
        />
        {option && (
          <Checkbox
            label={option}
            checked={withOption}
            onChange={(event) => setWithOption(event.currentTarget.checked)}
          />
        )}
        {failure && (
          <Text role="alert" size="sm" c="var(--state-warm)">
            {failure}
          </Text>
        )}
        <Group gap="sm">
          <Button loading={busy} disabled={chosen.length === 0} onClick={save}>
            {title}
          </Button>
          <Button variant="default" onClick={onClose} disabled={busy}>
            {t('common:actions.cancel')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

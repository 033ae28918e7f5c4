import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../lib/call-error.ts'
import { useHeldToasts } from '../../../ui/use-held-toasts.ts'
import { useTypedSearch } from '../../../ui/use-typed-search.ts'
import classes from './add-members-dialog.module.css'

export interface MemberChoice {
  id: string
  label: string
  /** Tells apart those of one name. */
  note: string
}

interface AddMembersProps {
  title: string
  label: string
  placeholder: string
  nothingFound: string
  /** Said where nothing was typed and nobody is left to add. */
  nothingLeft?: string
  /** The search results for a text, `isStale` while they are of the text before, or not there yet; those in the group already are left out by the caller. */
  useFound: (search: string, groupId: string) => { found: MemberChoice[]; total: number; isStale: boolean }
  groupId: string
  /** A question beside the choice, such as about limits. */
  option?: string
  add: (ids: string[], withOption: boolean) => Promise<void>
  /** Adds all that a text finds, which may be more than are listed. */
  addAll?: (search: string, withOption: boolean) => Promise<void>
  onClose: () => void
}

/**
 * Finds several at once and adds them. What was chosen stays chosen, and listed, while another text is searched for; nothing moves while
 * somebody types.
 */
export function AddMembersDialog(props: AddMembersProps) {
  const {
    title,
    label,
    placeholder,
    nothingFound,
    nothingLeft = nothingFound,
    useFound,
    groupId,
    option,
    add,
    addAll,
    onClose,
  } = props
  const { t } = useTranslation('groups')
  const { search, typed, setTyped } = useTypedSearch()
  const [chosen, setChosen] = useState<MemberChoice[]>([])
  const [withOption, setWithOption] = useState(false)
  const [busy, setBusy] = useState(false)
  useHeldToasts(busy)
  const [failure, setFailure] = useState<string | null>(null)
  const { found, total, isStale } = useFound(search, groupId)
  const isFound = new Set(found.map(({ id }) => id))
  const listed = [...chosen.filter(({ id }) => !isFound.has(id)), ...found]
  const isChosen = new Set(chosen.map(({ id }) => id))
  const choose = (member: MemberChoice, isWanted: boolean) =>
    setChosen((before) => [...before.filter(({ id }) => id !== member.id), ...(isWanted ? [member] : [])])
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
        <TextInput
          data-autofocus
          type="search"
          label={label}
          placeholder={placeholder}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <ul className={classes.list} aria-label={label} data-old={isStale || undefined}>
          {listed.map((member) => (
            <li key={member.id}>
              <Checkbox
                label={member.label}
                description={member.note}
                checked={isChosen.has(member.id)}
                onChange={(event) => choose(member, event.currentTarget.checked)}
              />
            </li>
          ))}
          {listed.length === 0 && !isStale && (
            <li className={classes.nothing}>{search === '' ? nothingLeft : nothingFound}</li>
          )}
        </ul>
        <Group justify="space-between" mih={36}>
          <Text size="sm" c="dimmed" role="status">
            {t('chosen', { count: chosen.length })}
          </Text>
          {addAll && total > 1 && (
            <Button
              variant="default"
              disabled={busy || isStale || typed.trim() !== search || chosen.length > 0}
              onClick={() => void go(() => addAll(search, withOption))}
            >
              {t('devices.addAll', { count: total })}
            </Button>
          )}
        </Group>
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

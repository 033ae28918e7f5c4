import { Modal, Switch, Table } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { letterKeysKey } from './letter-keys.ts'
import { ownNavigation } from './navigation.ts'
import classes from './shell.module.css'

const rows = [
  ['find', ['Ctrl', 'K']],
  ['search', ['/']],
  ['move', ['j', 'k']],
  ['open', ['Enter']],
  ['acknowledge', ['e']],
  ['save', ['Ctrl', 'Enter']],
  ['close', ['Esc']],
  ['help', ['?']],
] as const

/** The keys of the app, and a switch for those that are a single letter. */
export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell')
  const [hasLetters, setLetters] = useLocalStorage({ key: letterKeysKey, defaultValue: true })
  const line = (words: string, keys: readonly string[]) => (
    <Table.Tr key={words}>
      <Table.Td>{words}</Table.Td>
      <Table.Td ta="right" className={classes.keys}>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </Table.Td>
    </Table.Tr>
  )
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Switch
        label={t('keys.letters')}
        description={t('keys.lettersHelp')}
        checked={hasLetters}
        onChange={(event) => setLetters(event.currentTarget.checked)}
        mb="md"
      />
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {rows.map(([name, keys]) => line(t(`keys.does.${name}`), keys))}
          {ownNavigation().map(({ label, key }) => line(t('keys.go', { screen: t(`nav.${label}`) }), ['g', key]))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}

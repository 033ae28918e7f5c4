import { developer } from '@isotherm/contract/developer.ts'
import { NativeSelect, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Panel } from '../../../ui/panel.tsx'
import { codeSample, type Language, languages } from '../code-samples.ts'
import { isOver, shownHint } from '../key-words.ts'
import { CopiedCode } from './copied-code.tsx'

const names: Record<Language, string> = { curl: 'curl', typescript: 'TypeScript', python: 'Python' }

/** A first call in three languages, with the name of one of the company's keys in it. */
export function CodePanel() {
  const { t } = useTranslation('developer')
  const answer = useCall(developer.settings)
  const keys = (answer.data?.keys ?? []).filter((key) => !isOver(key))
  const [chosen, setChosen] = useState<string>()
  const [language, setLanguage] = useState<Language>('curl')
  const key = keys.find(({ id }) => id === chosen) ?? keys[0]
  const comment = key ? t('code.comment', { name: key.name, hint: shownHint(key) }) : t('code.noKey')
  const origin = location.origin
  return (
    <Panel title={t('code.title')} text={t('code.lead')}>
      {keys.length > 1 && (
        <NativeSelect
          // A browser forgets what is chosen where the choices become others.
          key={keys.map(({ id }) => id).join()}
          label={t('code.key')}
          mb="sm"
          value={key?.id}
          data={keys.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      <Tabs value={language} onChange={(value) => setLanguage(value as Language)} keepMounted={false}>
        <Tabs.List aria-label={t('code.languages')} mb="xs">
          {languages.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {names[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={language}>
          <CopiedCode label={names[language]} code={codeSample(language, { origin, comment })} />
        </Tabs.Panel>
      </Tabs>
      <Text size="sm" mt="sm">
        {t('code.writes')}
      </Text>
      <Text size="sm" mt="xs">
        {t('code.catchUp')}
      </Text>
    </Panel>
  )
}

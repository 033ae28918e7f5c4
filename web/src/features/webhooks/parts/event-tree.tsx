import type { ChosenEvent } from '@isotherm/contract/webhooks.ts'
import { Checkbox, Input } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { eventGroups } from '../event-groups.ts'
import classes from './webhooks.module.css'

interface EventTreeProps {
  value: readonly ChosenEvent[]
  onChange: (value: ChosenEvent[]) => void
  error?: string
}

/** The events as a tree of two levels: a group is ticked with all that it has, or half where it has some. */
export function EventTree({ value, onChange, error }: EventTreeProps) {
  const { t } = useTranslation('webhooks')
  const id = useId()
  const chosen = new Set(value)
  const set = (events: readonly ChosenEvent[], isOn: boolean) =>
    onChange(isOn ? [...new Set([...value, ...events])] : value.filter((one) => !events.includes(one)))
  return (
    <fieldset aria-labelledby={id} className={classes.tree} data-path="events" tabIndex={-1}>
      <div className={classes.treeHead}>
        <Input.Label component="span" id={id}>
          {t('form.events')}
        </Input.Label>
        <span className={classes.small}>{t('form.chosen', { count: value.length })}</span>
      </div>
      {error && <Input.Error>{error}</Input.Error>}
      <ul className={classes.groups}>
        {eventGroups.map(([group, events]) => {
          const count = events.filter((one) => chosen.has(one)).length
          return (
            <li key={group}>
              <Checkbox
                label={t(`groups.${group}`)}
                checked={count === events.length}
                indeterminate={count > 0 && count < events.length}
                onChange={(event) => set(events, event.currentTarget.checked)}
              />
              {events.length > 1 && (
                <ul>
                  {events.map((name) => (
                    <li key={name}>
                      <Checkbox
                        size="xs"
                        label={t(`events.${name}`)}
                        checked={chosen.has(name)}
                        onChange={(event) => set([name], event.currentTarget.checked)}
                      />
                    </li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

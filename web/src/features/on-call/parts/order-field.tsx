import { ActionIcon, Input, type InputWrapperProps, Select } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useTeam } from '../../../shared/use-team.ts'
import { moved, type RotaValues } from '../rota-values.ts'
import classes from './on-call.module.css'

interface OrderFieldProps {
  people: RotaValues['people']
  onChange: (people: RotaValues['people']) => void
  most: number
  errors: Record<string, ReactNode>
  /** The mark of a field that may not stay empty, where the form has one for it. */
  labelProps?: InputWrapperProps['labelProps']
}

/** The people of a rota in the order of their turns. */
export function OrderField({ people, onChange, most, errors, labelProps }: OrderFieldProps) {
  const { t } = useTranslation('onCall')
  const team = useTeam()
  const error = errors.people ?? Object.entries(errors).find(([path]) => path.startsWith('people.'))?.[1]
  return (
    <Input.Wrapper label={t('form.people')} labelElement="div" labelProps={labelProps}>
      <ol className={classes.order}>
        {people.map(({ id, name }, index) => (
          <li key={id}>
            <span className={classes.orderName}>{t('form.place', { place: index + 1, name })}</span>
            <ActionIcon
              variant="subtle"
              size={36}
              disabled={index === 0}
              aria-label={t('form.earlier', { name })}
              onClick={() => onChange(moved(people, index, -1))}
            >
              <IconArrowUp size={17} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              size={36}
              disabled={index === people.length - 1}
              aria-label={t('form.later', { name })}
              onClick={() => onChange(moved(people, index, 1))}
            >
              <IconArrowDown size={17} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('form.remove', { name })}
              onClick={() => onChange(people.toSpliced(index, 1))}
            >
              <IconX size={17} />
            </ActionIcon>
          </li>
        ))}
      </ol>
      {people.length < most && (
        <Select
          aria-label={t('form.addPerson')}
          placeholder={t('form.addPerson')}
          nothingFoundMessage={t('form.nobody')}
          searchable
          data={team.people
            .filter(({ id }) => !people.some((each) => each.id === id))
            .map(({ id, fullname }) => ({ value: id, label: fullname }))}
          value={null}
          searchValue={team.typed}
          onSearchChange={team.setTyped}
          onChange={(id) => {
            const person = team.people.find((each) => each.id === id)
            if (person) onChange([...people, { id: person.id, name: person.fullname }])
            team.setTyped('')
          }}
          error={error}
          data-path="people"
        />
      )}
    </Input.Wrapper>
  )
}

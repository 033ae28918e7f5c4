import { Anchor } from '@mantine/core'

/** A phone number that a tap calls; grouped, so that it can be read out. */
export const PhoneLink = ({ phone }: { phone: string }) => (
  <Anchor href={`tel:${phone}`} size="sm" onClick={(event) => event.stopPropagation()}>
    {phone}
  </Anchor>
)

/** Whether a warning `w` lasts: its order is under way, and the stop or the device has the mark with which it began. */
export const lastsText = `(w.over_at is null
  and exists (select from orders o where o.company_id = w.company_id and o.id = w.order_id and o.state = 'inProgress')
  and case w.kind
    when 'late' then exists (select from order_receivers r where r.company_id = w.company_id and r.id = w.receiver_id
      and r.settled_at is null and r.late_told_at = w.began_at)
    else exists (select from order_devices m left join order_receivers r on r.company_id = m.company_id and r.id = m.receiver_id
      where m.company_id = w.company_id and m.order_id = w.order_id and m.device_id = w.device_id and r.settled_at is null
      and m.out_told_at = w.began_at) end)`

/** By which a warning `w` that is over was ended. */
export const overByText = `(case
  when exists (select from orders o where o.company_id = w.company_id and o.id = w.order_id and o.state <> 'inProgress') then 'ended'
  when w.kind = 'late' then (select case when r.settled_at is not null then 'settled' when r.snoozed_until is not null then 'snoozed' else 'again' end
    from order_receivers r where r.company_id = w.company_id and r.id = w.receiver_id)
  else coalesce((select case when r.settled_at is not null then 'settled' else 'again' end
    from order_devices m left join order_receivers r on r.company_id = m.company_id and r.id = m.receiver_id
    where m.company_id = w.company_id and m.order_id = w.order_id and m.device_id = w.device_id), 'taken') end)`

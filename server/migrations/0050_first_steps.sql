-- The list of first steps on the dashboard, until an Admin hides it for the company.
alter table companies add column first_steps_hidden_at timestamptz;

// What many bodies say alike is kept once, as a form; a row keeps what is its own. Nor does a new row keep what follows from the others: the
// hash of its body, and the hash of the row before it. Rows of before stay as they are.

const FORMS = `
CREATE TABLE forms (id INTEGER PRIMARY KEY, policy TEXT, text TEXT NOT NULL) STRICT;
ALTER TABLE ledger ADD COLUMN form INTEGER;
CREATE INDEX ledger_form ON ledger (form) WHERE form IS NOT NULL;
CREATE TRIGGER forms_stay BEFORE UPDATE ON forms BEGIN SELECT RAISE(ABORT, 'forms do not change'); END;
CREATE TRIGGER forms_keep BEFORE DELETE ON forms WHEN EXISTS (SELECT 1 FROM ledger WHERE form = OLD.id)
  BEGIN SELECT RAISE(ABORT, 'entries need this form'); END;
`

const CHAIN = `
DROP TRIGGER ledger_chains;
CREATE TRIGGER ledger_chains AFTER INSERT ON ledger
  WHEN CASE NEW.prev
    WHEN '' THEN NEW.seq <> 1 AND NOT EXISTS (SELECT 1 FROM ledger WHERE seq = NEW.seq - 1)
    ELSE NEW.prev IS NOT coalesce((SELECT hash FROM ledger WHERE seq = NEW.seq - 1), CASE NEW.seq WHEN 1 THEN '${'0'.repeat(64)}' END) END
  BEGIN SELECT RAISE(ABORT, 'an entry must follow the last one'); END;
CREATE TRIGGER ledger_formed AFTER INSERT ON ledger
  WHEN NEW.form IS NOT NULL AND NOT EXISTS (SELECT 1 FROM forms WHERE id = NEW.form)
  BEGIN SELECT RAISE(ABORT, 'an entry needs its form'); END;
`

export const formMigration: string = FORMS + CHAIN

// The second format of the ledger: an entry with a salt keeps its body out of its leaf, behind a salted hash.

export const saltMigration = 'ALTER TABLE ledger ADD COLUMN salt TEXT;'

-- Names are found joined wherever they are split, and PDFs is the plural of PDF: the documents are made anew, their follower starts over.
-- Nobody is behind a wall here, so it is taken down for the moment.
ALTER TABLE checkpoint_t NO FORCE ROW LEVEL SECURITY;
DELETE FROM checkpoint_t WHERE follower = 'search-documents';
ALTER TABLE checkpoint_t FORCE ROW LEVEL SECURITY;

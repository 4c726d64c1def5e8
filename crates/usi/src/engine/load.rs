use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use super::event::Loaded;
use super::job::{Job, LoadJob};
use super::report::Finished;
use super::searching::{Release, Searching};
use super::{Engine, ModelRequest, Work};
use crate::answer::Answer;
use crate::book::{Book, BookError};

/// What is being loaded, and why.
pub(super) struct Loading {
    model: Option<ModelRequest>,
    book: Option<PathBuf>,
    /// How often `isready` is to be answered.
    asked: usize,
    /// The search that waits for the model.
    pub(super) search: Option<Box<Searching>>,
}

/// The book that was asked for last.
pub(super) struct LoadedBook {
    path: PathBuf,
    /// `None` if it cannot be used.
    pub(super) book: Option<Book>,
}

impl Loading {
    /// When to look after it, at the latest at `latest`.
    pub(super) fn wakes_at(&self, latest: Instant) -> Instant {
        let overdue = self.search.as_ref().and_then(|searching| searching.overdue_at());
        overdue.map_or(latest, |overdue| overdue.min(latest))
    }

    /// Answers for the search that waits.
    pub(super) fn stop(&mut self) {
        if let Some(searching) = &mut self.search {
            searching.release = Release::AtOnce;
            // One that needs no model has its answer already.
            if searching.finished.is_none() {
                searching.finished = Some(searching.fallback());
            }
        }
    }

    /// Takes the answer for the search that waits, if there is one.
    pub(super) fn take_answer(&mut self) -> Option<Finished> {
        let finished = self.search.as_mut()?.take_answer()?;
        self.search = None;
        Some(finished)
    }
}

/// Loading models and books.
impl<W: Write> Engine<'_, W> {
    /// Whether nothing else is to be loaded than what is being loaded.
    pub(super) fn wants(&self, loading: &Loading) -> bool {
        self.model_to_load() == loading.model && self.book_to_load() == loading.book
    }

    pub(super) fn ready(&mut self) -> io::Result<()> {
        if let Work::Loading(loading) = &mut self.work {
            loading.asked += 1;
            return Ok(());
        }
        let model = self.model_to_load();
        let book = match self.book_to_load() {
            Some(path) if path.as_os_str().is_empty() => {
                self.say(&Answer::message("Error: OwnBook is true and Book_File names no book"))?;
                None
            }
            book => book,
        };
        if model.is_none() && book.is_none() {
            return self.say(&Answer::ReadyOk);
        }
        self.load(Loading { model, book, asked: 1, search: None });
        Ok(())
    }

    /// Gives a search to the search thread, after the model where it has none.
    pub(super) fn load_or_search(&mut self, searching: Box<Searching>) {
        if let Work::Loading(loading) = &mut self.work {
            loading.search = Some(searching);
            return;
        }
        // A change of a model that is loaded takes effect with the next `isready`.
        match self.model_to_load() {
            Some(model) if self.model.is_none() => {
                let search = Some(searching);
                self.load(Loading { model: Some(model), book: None, asked: 0, search });
            }
            _ => self.search(searching),
        }
    }

    fn model_to_load(&self) -> Option<ModelRequest> {
        let request = ModelRequest::of(&self.options);
        (self.model.as_ref() != Some(&request)).then_some(request)
    }

    fn book_to_load(&self) -> Option<PathBuf> {
        let path = &self.options.book_file;
        let has = |loaded: &LoadedBook| loaded.path == *path && loaded.book.is_some();
        (self.options.own_book && !self.book.as_ref().is_some_and(has)).then(|| path.clone())
    }

    fn load(&mut self, loading: Loading) {
        if loading.model.is_some() {
            self.model = None;
        }
        let job = LoadJob { model: loading.model.clone(), book: loading.book.clone() };
        // The search thread lives as long as its queue; should it be gone, its end is reported as an event.
        let _ = self.jobs.send(Job::Load(job));
        self.work = Work::Loading(loading);
    }

    /// Keeps the GUI waiting, and answers for a search that cannot wait any more.
    pub(super) fn loading_time_out(&mut self) -> io::Result<()> {
        let Work::Loading(loading) = &mut self.work else { return Ok(()) };
        let overdue = loading.search.as_ref().and_then(|searching| searching.overdue_at());
        if overdue.is_some_and(|overdue| Instant::now() >= overdue) {
            loading.stop();
            self.say(&Answer::message("the model is still loading: playing any move"))?;
            return self.release();
        }
        writeln!(self.output)?;
        self.output.flush()
    }

    pub(super) fn loaded(&mut self, loaded: Loaded) -> io::Result<()> {
        let Work::Loading(loading) = std::mem::replace(&mut self.work, Work::Idle) else {
            return Ok(());
        };
        if let (Some(path), Some(result)) = (loading.book, loaded.book) {
            self.book_loaded(path, result)?;
        }
        let failed = matches!(loaded.model, Some(Err(_)));
        match loaded.model {
            None => {}
            Some(Ok(net)) => {
                self.model = loading.model;
                self.net = net.settings.settings;
                let (options, errors) = self.asked.with_net(&self.declared, &self.net);
                self.options = options;
                self.say(&Answer::message(format!("model: {}", net.name)))?;
                for error in
                    net.settings.problems.into_iter().chain(errors.iter().map(ToString::to_string))
                {
                    self.say(&Answer::message(format!("Error: beside the model: {error}")))?;
                }
            }
            Some(Err(error)) => self.say(&Answer::message(format!("Error: {error}")))?,
        }
        if let Some(mut searching) = loading.search {
            if failed && searching.finished.is_none() {
                searching.finished = Some(searching.resignation());
            }
            match searching.finished {
                Some(_) => self.answer(searching)?,
                None => self.load_or_search(searching),
            }
        }
        let promises = if failed { 0 } else { loading.asked };
        (0..promises).try_for_each(|_| self.say(&Answer::ReadyOk))
    }

    fn book_loaded(&mut self, path: PathBuf, result: Result<Book, BookError>) -> io::Result<()> {
        let said = match &result {
            Ok(book) => format!("book: {} positions of {}", book.positions(), path.display()),
            Err(error) => format!("Error: cannot load the book {}: {error}", path.display()),
        };
        self.book = Some(LoadedBook { path, book: result.ok() });
        self.say(&Answer::message(said))
    }
}

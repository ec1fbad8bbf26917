//! The daily window: it opens at the first counted lookup and closes 24 hours later (interface
//! specification, part 8). Pure: the time is an argument, in Unix seconds.

/// How long a window stays open.
pub const WINDOW_SECONDS: i64 = 24 * 60 * 60;

/// Counted and reserved lookups of one caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The time of the first counted lookup. `None`: no window is open.
    opened_at: Option<i64>,
    used: u64,
    /// Running lookups that may turn out to be free.
    reserved: u64,
}

impl Window {
    /// A stored window.
    pub fn stored(opened_at: i64, used: u64) -> Window {
        Window {
            opened_at: Some(opened_at),
            used,
            reserved: 0,
        }
    }

    /// Reserves one lookup, or says that `limit` is reached.
    pub fn reserve(&mut self, limit: u64, now: i64) -> bool {
        self.turn(now);
        if self.taken() >= limit {
            return false;
        }
        self.reserved += 1;
        true
    }

    /// Commits a reserved lookup, and opens the window if it is the first. Returns the values
    /// to store: when the window opened and its number of lookups.
    pub fn commit(&mut self, now: i64) -> (i64, u64) {
        self.turn(now);
        self.reserved = self.reserved.saturating_sub(1);
        self.used += 1;
        (*self.opened_at.get_or_insert(now), self.used)
    }

    /// Releases a reserved lookup.
    pub fn release(&mut self) {
        self.reserved = self.reserved.saturating_sub(1);
    }

    /// Number of lookups counted or reserved at a time.
    pub fn used(&self, now: i64) -> u64 {
        let mut window = *self;
        window.turn(now);
        window.taken()
    }

    /// Seconds until the window closes; the full length if none is open.
    pub fn reset_seconds(&self, now: i64) -> u64 {
        let mut window = *self;
        window.turn(now);
        let closes = window
            .opened_at
            .map_or(WINDOW_SECONDS, |at| at + WINDOW_SECONDS - now);
        closes.max(0) as u64
    }

    /// Whether the stored window can be evicted without loss.
    pub fn is_idle(&self) -> bool {
        self.reserved == 0
    }

    fn taken(&self) -> u64 {
        self.used + self.reserved
    }

    /// Closes an expired window. A window that opens in the future was opened by a
    /// wrong clock: it closes 24 hours from now, so that nobody is locked out for longer, and
    /// keeps its count, so that nobody gains from it.
    fn turn(&mut self, now: i64) {
        match self.opened_at {
            Some(at) if now < at => self.opened_at = Some(now),
            Some(at) if now - at >= WINDOW_SECONDS => {
                self.opened_at = None;
                self.used = 0;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: i64 = 1_795_234_567;

    /// Commits `count` lookups at a time.
    fn spend(window: &mut Window, count: u64, now: i64) {
        for _ in 0..count {
            assert!(window.reserve(u64::MAX, now));
            window.commit(now);
        }
    }

    #[test]
    fn window_opens_with_the_first_counted_lookup() {
        let mut window = Window::default();
        assert_eq!(window.reset_seconds(T), 86_400);
        assert!(window.reserve(20, T));
        window.release();
        assert_eq!((window.used(T), window.reset_seconds(T)), (0, 86_400));
        spend(&mut window, 1, T + 5);
        assert_eq!(window.reset_seconds(T + 105), 86_300);
    }

    #[test]
    fn window_closes_exactly_24_hours_later() {
        let mut window = Window::default();
        spend(&mut window, 20, T);
        assert!(!window.reserve(20, T + 86_399));
        assert_eq!(window.reset_seconds(T + 86_399), 1);
        assert!(window.reserve(20, T + 86_400));
        assert_eq!(window.commit(T + 86_400), (T + 86_400, 1));
    }

    #[test]
    fn reservation_counts_until_it_is_released() {
        let mut window = Window::default();
        assert!(window.reserve(1, T));
        assert!(!window.reserve(1, T));
        assert_eq!(window.used(T), 1);
        window.release();
        assert!(window.reserve(1, T));
    }

    #[test]
    fn lookup_across_windows_counts_in_the_next() {
        let mut window = Window::default();
        spend(&mut window, 3, T);
        assert!(window.reserve(20, T + 86_399));
        assert_eq!(window.commit(T + 86_401), (T + 86_401, 1));
    }

    #[test]
    fn clock_going_back_keeps_the_count() {
        let mut window = Window::default();
        spend(&mut window, 20, T);
        let earlier = T - 400 * 86_400;
        assert!(!window.reserve(20, earlier));
        assert_eq!(window.reset_seconds(earlier), 86_400);
        assert!(!window.reserve(20, earlier + 86_399));
        assert!(window.reserve(20, earlier + 86_400));
    }

    #[test]
    fn changed_limit_applies_at_once() {
        let mut window = Window::default();
        spend(&mut window, 50, T);
        assert!(!window.reserve(20, T));
        assert!(window.reserve(60, T));
    }
}

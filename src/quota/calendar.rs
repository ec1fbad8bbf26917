//! Days and months in UTC for the monthly allowance.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// A day, counted from 1970-01-01.
pub type Day = i64;

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// A calendar month in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Month {
    first: Date,
}

/// The day of a time.
pub fn day_of(unix_seconds: i64) -> Day {
    unix_seconds.div_euclid(DAY_SECONDS)
}

/// `2026-11-21`.
pub fn day_text(day: Day) -> String {
    date_of(day).to_string()
}

impl Month {
    /// The month of a time.
    pub fn of(unix_seconds: i64) -> Month {
        Month::of_day(day_of(unix_seconds))
    }

    pub fn of_day(day: Day) -> Month {
        Month {
            first: date_of(day).first_of_month(),
        }
    }

    /// Reads `2026-11`.
    pub fn parse(text: &str) -> Option<Month> {
        let (year, month) = text.trim().split_once('-')?;
        let digits =
            |part: &str, count| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(year, 4) || !digits(month, 2) {
            return None;
        }
        let first = Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok()?;
        Some(Month { first })
    }

    /// The first day and the day after the last.
    pub fn days(self) -> std::ops::Range<Day> {
        day_number(self.first)..day_number(self.next().first)
    }

    /// The end of the month: the first of the next one, 00:00 UTC.
    pub fn ends_at(self) -> i64 {
        self.days().end * DAY_SECONDS
    }

    fn next(self) -> Month {
        // The last month of the calendar is its own successor.
        let first = self.first.checked_add(1.month()).unwrap_or(self.first);
        Month { first }
    }
}

impl std::fmt::Display for Month {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}", self.first.year(), self.first.month())
    }
}

fn date_of(day: Day) -> Date {
    Timestamp::from_second(day.saturating_mul(DAY_SECONDS))
        .unwrap_or_default()
        .to_zoned(TimeZone::UTC)
        .date()
}

fn day_number(date: Date) -> Day {
    date.to_zoned(TimeZone::UTC)
        .map_or(0, |midnight| day_of(midnight.timestamp().as_second()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(moment: &str, month: &str, days: i64, ends: &str) {
        let moment: Timestamp = moment.parse().unwrap();
        let found = Month::of(moment.as_second());
        assert_eq!(found.to_string(), month);
        assert_eq!(Month::parse(month), Some(found));
        assert_eq!(found.days().end - found.days().start, days, "{month}");
        assert_eq!(crate::clock::iso8601(found.ends_at()), ends);
    }

    #[test]
    fn months_follow_the_calendar() {
        check(
            "2026-11-30T23:59:59Z",
            "2026-11",
            30,
            "2026-12-01T00:00:00Z",
        );
        check(
            "2026-12-01T00:00:00Z",
            "2026-12",
            31,
            "2027-01-01T00:00:00Z",
        );
        check(
            "2027-02-28T12:00:00Z",
            "2027-02",
            28,
            "2027-03-01T00:00:00Z",
        );
        check(
            "2028-02-29T00:00:00Z",
            "2028-02",
            29,
            "2028-03-01T00:00:00Z",
        );
        check(
            "2000-02-29T00:00:00Z",
            "2000-02",
            29,
            "2000-03-01T00:00:00Z",
        );
    }

    #[test]
    fn days_are_written_as_dates() {
        assert_eq!(day_text(day_of(0)), "1970-01-01");
        assert_eq!(day_text(day_of(1_835_395_200)), "2028-02-29");
    }

    #[test]
    fn calendar_rejects_invalid_months() {
        for text in [
            "2026-13",
            "2026-0",
            "2026",
            "26-11",
            "2026-11-01",
            "+026-11",
            "",
        ] {
            assert_eq!(Month::parse(text), None, "{text}");
        }
    }
}
